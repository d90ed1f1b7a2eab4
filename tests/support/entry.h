/* Included before every file of tests, whose main is renamed for the one program they share
 * (tests/CMakeLists.txt). */
#ifdef main
int main(void);
#endif
