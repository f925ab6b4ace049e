// Transposes of a matrix of height × width floats into one of width × height. A block of
// 32 × 8 threads moves a tile of 32 × 32 elements, four to a thread: it has them all in flight
// before it stores the first. In a warp only threadIdx.x differs, from lane to lane. What would
// lie beyond an edge is left out.

#ifndef ROWS
#define ROWS 8  // rows of threads in a block
#endif
constexpr int TILE = 32, EACH = TILE / ROWS;

// The yardstick: a warp reads a row and writes the same row. Nothing is transposed.
extern "C" __global__
void copy(const float* __restrict__ in, float* __restrict__ out, int height, int width) {
    float v[EACH];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < EACH; j++)
        if (x < width && y + j * ROWS < height) v[j] = in[(y + j * ROWS) * width + x];
    for (int j = 0; j < EACH; j++)
        if (x < width && y + j * ROWS < height) out[(y + j * ROWS) * width + x] = v[j];
}

// A warp reads a row, and writes it down a column.
extern "C" __global__
void scatter(const float* __restrict__ in, float* __restrict__ out, int height, int width) {
    float v[EACH];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < EACH; j++)
        if (x < width && y + j * ROWS < height) v[j] = in[(y + j * ROWS) * width + x];
    for (int j = 0; j < EACH; j++)
        if (x < width && y + j * ROWS < height) out[x * height + y + j * ROWS] = v[j];
}

// The other way round: a warp reads down a column, and writes a row.
extern "C" __global__
void gather(const float* __restrict__ in, float* __restrict__ out, int height, int width) {
    float v[EACH];
    int x = blockIdx.y * TILE + threadIdx.x;
    int y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < EACH; j++)
        if (x < height && y + j * ROWS < width) v[j] = in[x * width + y + j * ROWS];
    for (int j = 0; j < EACH; j++)
        if (x < height && y + j * ROWS < width) out[(y + j * ROWS) * height + x] = v[j];
}

// Where a tile keeps the element of a row and a column: rows one after another, PITCH apart …
template <int PITCH> struct Padded {
    static constexpr int WORDS = TILE * PITCH;
    static __device__ int at(int row, int column) { return row * PITCH + column; }
};

// … or without a gap, each row's columns in an order of its own.
struct Swizzled {
    static constexpr int WORDS = TILE * TILE;
    static __device__ int at(int row, int column) { return row * TILE + (column ^ row); }
};

// Through a tile in shared memory: a warp reads a row, and later writes a row.
template <class Place>
__device__ void by_tile(const float* in, float* out, int height, int width) {
    __shared__ float tile[Place::WORDS];
    float v[EACH] = {};
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < EACH; j++)
        if (x < width && y + j * ROWS < height) v[j] = in[(y + j * ROWS) * width + x];
    for (int j = 0; j < EACH; j++)
        tile[Place::at(threadIdx.y + j * ROWS, threadIdx.x)] = v[j];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;  // the block swaps its place, its threads do not
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < EACH; j++)
        v[j] = tile[Place::at(threadIdx.x, threadIdx.y + j * ROWS)];
    for (int j = 0; j < EACH; j++)
        if (x < height && y + j * ROWS < width) out[(y + j * ROWS) * height + x] = v[j];
}

#define BY_TILE(NAME, PLACE)                                                                  \
    extern "C" __global__ void NAME(const float* __restrict__ in, float* __restrict__ out,    \
                                    int height, int width) {                                  \
        by_tile<PLACE>(in, out, height, width);                                               \
    }
BY_TILE(tiled, Padded<32>)
BY_TILE(padded, Padded<33>)
BY_TILE(padded34, Padded<34>)
BY_TILE(swizzled, Swizzled)
