#ifndef _LEMMATA_SEAHORN
#define _LEMMATA_SEAHORN
extern void sassert();
extern void assume(int);
extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int);
extern int nd(void);
extern int nd_int(void);
#endif
