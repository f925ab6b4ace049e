// What a warp's access to shared memory costs. Lane i of every warp accesses element[i], over and
// over; an element is N words of 4 bytes. One block of threads runs alone on one multiprocessor.
// Every word holds its own address, so a load is its own proof, and a chain of loads needs no
// arithmetic between them. "volatile" keeps the compiler from leaving an access out.

constexpr int WORDS = 8192;  // 32 KiB
constexpr int BATCH = 8;     // accesses in a round

__device__ void load(unsigned a, unsigned (&v)[1]) {
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v[0]) : "r"(a));
}
__device__ void load(unsigned a, unsigned (&v)[2]) {
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "r"(a));
}
__device__ void load(unsigned a, unsigned (&v)[4]) {
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(a));
}
__device__ void store(unsigned a, const unsigned (&v)[1]) {
    asm volatile("st.volatile.shared.u32 [%0], %1;" :: "r"(a), "r"(v[0]));
}
__device__ void store(unsigned a, const unsigned (&v)[2]) {
    asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};" :: "r"(a), "r"(v[0]), "r"(v[1]));
}
__device__ void store(unsigned a, const unsigned (&v)[4]) {
    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};"
                 :: "r"(a), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]));
}

// Fill the memory, and return the address of this lane's element.
template <int N>
__device__ unsigned prepare(unsigned* memory, const int* element) {
    unsigned base = (unsigned)__cvta_generic_to_shared(memory);
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x) memory[i] = base + 4 * i;
    __syncthreads();
    return base + 4 * N * element[threadIdx.x % 32];
}

// Each thread hands over what it got, less what it should have: zero. The clock is read after it.
__device__ void finish(unsigned wrong, long long start, volatile unsigned* out,
                       volatile long long* clocks) {
    out[threadIdx.x] = wrong;
    clocks[2 * threadIdx.x] = start;
    clocks[2 * threadIdx.x + 1] = clock64();
}

// Throughput: no load waits for what another one returns.
template <int N>
__device__ void loads(const int* element, int rounds, unsigned* out, long long* clocks) {
    __shared__ __align__(16) unsigned memory[WORDS];
    unsigned address = prepare<N>(memory, element), v[BATCH][N], wrong = 0;
    long long start = clock64();
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int b = 0; b < BATCH; b++) load(address, v[b]);
    }
    for (int b = 0; b < BATCH; b++)
        for (int n = 0; n < N; n++) wrong |= v[b][n] ^ (address + 4 * n);
    finish(wrong, start, out, clocks);
}

// The same for stores.
template <int N>
__device__ void stores(const int* element, int rounds, unsigned* out, long long* clocks) {
    __shared__ __align__(16) unsigned memory[WORDS];
    unsigned address = prepare<N>(memory, element), v[N], wrong = 0;
    for (int n = 0; n < N; n++) v[n] = ~(address + 4 * n);
    long long start = clock64();
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int b = 0; b < BATCH; b++) store(address, v);
    }
    load(address, v);
    for (int n = 0; n < N; n++) wrong |= v[n] ^ ~(address + 4 * n);
    finish(wrong, start, out, clocks);
}

// Latency: each load's address is what the load before it returned.
template <int N>
__device__ void chain(const int* element, int rounds, unsigned* out, long long* clocks) {
    __shared__ __align__(16) unsigned memory[WORDS];
    unsigned address = prepare<N>(memory, element), v[N] = {address};
    long long start = clock64();
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int b = 0; b < BATCH; b++) load(v[0], v);
    }
    finish(v[0] ^ address, start, out, clocks);
}

#define KERNELS(name, bytes)                                                                    \
    extern "C" __global__ void name##_##bytes(const int* element, int rounds, unsigned* out,    \
                                              long long* clocks) {                              \
        name<bytes / 4>(element, rounds, out, clocks);                                          \
    }
#define WIDTHS(name) KERNELS(name, 4) KERNELS(name, 8) KERNELS(name, 16)
WIDTHS(loads)
WIDTHS(stores)
WIDTHS(chain)
