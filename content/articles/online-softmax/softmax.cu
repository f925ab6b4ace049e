// Softmax of every row of a matrix, in two ways. One block takes one row, a thread four scores at
// a time; T4 is the length of a row in fours. m is the largest score, l the sum of e^(x - m). No
// score is masked here. Two blocks of 1,024 threads share a multiprocessor.

constexpr int LANES = 32;
constexpr float LOWEST = -3.4e38f;

// Merge a number of every thread over its warp, then over the block's warps: all get the result.
template <class Merge>
__device__ float over_block(float v, float none, Merge merge) {
    __shared__ float warps[LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, count = blockDim.x / LANES;
    for (int half = LANES / 2; half > 0; half /= 2) v = merge(v, __shfl_xor_sync(~0u, v, half));
    if (lane == 0) warps[warp] = v;
    __syncthreads();
    v = lane < count ? warps[lane] : none;
    for (int half = LANES / 2; half > 0; half /= 2) v = merge(v, __shfl_xor_sync(~0u, v, half));
    return v;
}

__device__ float largest_of_block(float v) {
    return over_block(v, LOWEST, [](float a, float b) { return fmaxf(a, b); });
}

__device__ float sum_of_block(float v) {
    return over_block(v, 0.0f, [](float a, float b) { return a + b; });
}

__device__ float largest(float4 x) { return fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w)); }

__device__ float weights(float4 x, float m) {
    return expf(x.x - m) + expf(x.y - m) + expf(x.z - m) + expf(x.w - m);
}

// The last sweep is the same for both: read the row again, write y = e^(x - m) / l.
__device__ void write(const float4* x, float4* y, int T4, float m, float l) {
    float scale = 1.0f / l;
    for (int i = threadIdx.x; i < T4; i += blockDim.x) {
        float4 v = x[i];
        y[i] = {expf(v.x - m) * scale, expf(v.y - m) * scale,
                expf(v.z - m) * scale, expf(v.w - m) * scale};
    }
}

extern "C" __global__ __launch_bounds__(1024, 2)
void softmax_safe(const float4* x, float4* y, int T4) {
    x += (size_t)blockIdx.x * T4;
    y += (size_t)blockIdx.x * T4;
    float m = LOWEST, l = 0.0f;
    for (int i = threadIdx.x; i < T4; i += blockDim.x) m = fmaxf(m, largest(x[i]));
    m = largest_of_block(m);
    for (int i = threadIdx.x; i < T4; i += blockDim.x) l += weights(x[i], m);
    write(x, y, T4, m, sum_of_block(l));
}

extern "C" __global__ __launch_bounds__(1024, 2)
void softmax_online(const float4* x, float4* y, int T4) {
    x += (size_t)blockIdx.x * T4;
    y += (size_t)blockIdx.x * T4;
    float m_own = LOWEST, l = 0.0f;
    for (int i = threadIdx.x; i < T4; i += blockDim.x) {
        float4 v = x[i];
        float m_new = fmaxf(m_own, largest(v));
        l = l * expf(m_own - m_new) + weights(v, m_new);
        m_own = m_new;
    }
    // Each thread measures its sum from the block's maximum; then they add.
    float m = largest_of_block(m_own);
    write(x, y, T4, m, sum_of_block(l * expf(m_own - m)));
}
