// Sizes the thread pool of the process before anything uses it: import this first.
//
// The runtime looks up names on half of the pool's threads, and a name whose server is silent holds one for as long as the
// system waits (10 s and more). With the four threads of the runtime, two such names would delay every other upstream. All of
// these threads together take 1 MiB.

process.env['UV_THREADPOOL_SIZE'] ??= '128'
