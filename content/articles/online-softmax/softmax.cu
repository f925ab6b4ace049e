// Softmax of every row of a matrix, in two ways. One block takes one row, and a thread four
// scores at a time: T4 is the length of a row in fours. m is the largest score, l the sum of
// e^(x - m). No score is masked here. Two blocks of 1,024 threads share a multiprocessor.

constexpr int LANES = 32;

struct Statistics {
    float m, l;
};

// The statistics of two sets of scores together; those of no score are (lowest, 0).
__device__ Statistics merge(Statistics a, Statistics b) {
    float m = fmaxf(a.m, b.m);
    return {m, a.l * expf(a.m - m) + b.l * expf(b.m - m)};
}

// Merge over the lanes of a warp, then over the warps of the block; every thread gets the result.
__device__ Statistics merge_block(Statistics s) {
    __shared__ Statistics warps[LANES];
    for (int half = LANES / 2; half > 0; half /= 2) {
        Statistics other = {__shfl_xor_sync(~0u, s.m, half), __shfl_xor_sync(~0u, s.l, half)};
        s = merge(s, other);
    }
    if (threadIdx.x % LANES == 0) warps[threadIdx.x / LANES] = s;
    __syncthreads();
    s = warps[0];
    for (int warp = 1; warp < blockDim.x / LANES; warp++) s = merge(s, warps[warp]);
    __syncthreads();
    return s;
}

__device__ float largest(float4 x) { return fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w)); }

__device__ float weights(float4 x, float m) {
    return expf(x.x - m) + expf(x.y - m) + expf(x.z - m) + expf(x.w - m);
}

// The last sweep is the same for both: read the row again, write y = e^(x - m) / l.
__device__ void write(const float4* x, float4* y, int T4, Statistics s) {
    float scale = 1.0f / s.l;
    for (int i = threadIdx.x; i < T4; i += blockDim.x) {
        float4 v = x[i];
        y[i] = {expf(v.x - s.m) * scale, expf(v.y - s.m) * scale,
                expf(v.z - s.m) * scale, expf(v.w - s.m) * scale};
    }
}

extern "C" __global__ __launch_bounds__(1024, 2) void softmax_safe(const float4* x, float4* y, int T4) {
    x += (size_t)blockIdx.x * T4;
    y += (size_t)blockIdx.x * T4;
    Statistics s = {-3.4e38f, 0.0f};
    for (int i = threadIdx.x; i < T4; i += blockDim.x) s.m = fmaxf(s.m, largest(x[i]));
    s = merge_block(s);
    for (int i = threadIdx.x; i < T4; i += blockDim.x) s.l += weights(x[i], s.m);
    write(x, y, T4, merge_block(s));
}

extern "C" __global__ __launch_bounds__(1024, 2) void softmax_online(const float4* x, float4* y, int T4) {
    x += (size_t)blockIdx.x * T4;
    y += (size_t)blockIdx.x * T4;
    Statistics s = {-3.4e38f, 0.0f};
    for (int i = threadIdx.x; i < T4; i += blockDim.x) {
        float4 v = x[i];
        float m = fmaxf(s.m, largest(v));
        s.l = s.l * expf(s.m - m) + weights(v, m);
        s.m = m;
    }
    write(x, y, T4, merge_block(s));
}
