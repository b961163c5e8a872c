#undef assert
#undef static_assert
#ifdef NDEBUG
#define assert(ignore) ((void)0)
#else
extern void assert();
#define assert(condition) assert(condition)
#endif
#define static_assert _Static_assert
