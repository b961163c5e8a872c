#ifdef NDEBUG
#define assert(ignore) ((void)0)
#else
extern void assert(int);
#endif
