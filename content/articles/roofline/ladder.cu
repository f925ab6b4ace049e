// Read n4 fours of numbers, do FMAS fused multiply-adds on each number, write them. With FMAS = 0
// it is a copy. a and b arrive as arguments, so that no compiler can work ahead.

#ifndef FMAS
#define FMAS 1
#endif

extern "C" __global__ void ladder(const float4* x, float4* y, float a, float b, int n4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4) return;
    float4 v = x[i];
#pragma unroll 32
    for (int k = 0; k < FMAS; ++k) {
        v.x = fmaf(v.x, a, b);
        v.y = fmaf(v.y, a, b);
        v.z = fmaf(v.z, a, b);
        v.w = fmaf(v.w, a, b);
    }
    y[i] = v;
}
