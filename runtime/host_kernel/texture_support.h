// Textures and surfaces on the CPU, for kernels' text and for the runtime that makes the objects:
// the handle of one is the address of what stands here. Sampling follows CUDA's programming guide
// ("Texture Fetching"): weights are fractions of 256.

struct _gpy_texels {
  unsigned char* data;
  long long width, height, depth;  // 1 where there is no such axis
  long long row, slice;            // bytes
  int kind, bits, channels;        // of cudaChannelFormatKind...
  int address[3];                  // cudaAddressMode...
  int linear, as_floats, normalized, srgb;
  float border[4];
};

static inline unsigned _gpy_bits(float value) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline float _gpy_float(unsigned bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

static inline float _gpy_widened(unsigned short half) {
  const unsigned sign = (half & 0x8000u) << 16, low = half & 0x3ffu, exponent = half >> 10 & 31;
  if (exponent == 0) return _gpy_float(sign | _gpy_bits((float)low * 0x1p-24f));
  const unsigned raised = exponent == 31 ? 255 : exponent + 112;
  return _gpy_float(sign | raised << 23 | low << 13);
}

static inline float _gpy_linear_light(float c) {
  return c <= 0.04045f ? c / 12.92f : __builtin_powf((c + 0.055f) / 1.055f, 2.4f);
}

// One channel of a texel as a device's register has it.
static inline unsigned _gpy_channel(const _gpy_texels& t, const unsigned char* texel, int channel) {
  const unsigned char* at = texel + channel * (t.bits / 8);
  if (t.bits == 32) {
    unsigned bits;
    __builtin_memcpy(&bits, at, sizeof bits);
    return bits;
  }
  unsigned short wide = *at;
  if (t.bits == 16) __builtin_memcpy(&wide, at, sizeof wide);
  if (t.kind == 2) return _gpy_bits(_gpy_widened(wide));
  const int value = t.kind == 1 ? wide : t.bits == 8 ? (signed char)wide : (short)wide;
  if (!t.as_floats) return (unsigned)value;
  const float most = (float)((1 << (t.kind == 1 ? t.bits : t.bits - 1)) - 1);
  const float part = (float)value / most;
  const float fraction = part < -1 ? -1 : part;
  return _gpy_bits(t.srgb && channel < 3 ? _gpy_linear_light(fraction) : fraction);
}

// The texel that is meant along one axis; -1: the border.
static inline long long _gpy_place(int mode, bool normalized, long long i, long long n) {
  if (i >= 0 && i < n) return i;
  if (mode == 3) return -1;
  if (!normalized || mode == 1) return i < 0 ? 0 : n - 1;
  const long long period = mode == 2 ? 2 * n : n, rest = i % period;
  const long long at = rest < 0 ? rest + period : rest;
  return at < n ? at : period - 1 - at;
}

// Four channels, as registers.
struct _gpy_sample {
  unsigned channel[4];
};

static inline bool _gpy_is_float(const _gpy_texels& t) { return t.kind == 2 || t.as_floats; }

static inline _gpy_sample _gpy_texel(const _gpy_texels& t, long long x, long long y, long long z) {
  const bool clear = x < 0 || y < 0 || z < 0;
  _gpy_sample out;
  const unsigned char* at =
      clear ? 0 : t.data + z * t.slice + y * t.row + x * (t.bits / 8 * t.channels);
  for (int c = 0; c < 4; ++c) {
    if (clear)
      out.channel[c] = _gpy_is_float(t) ? _gpy_bits(t.border[c]) : (unsigned)(int)t.border[c];
    else if (c < t.channels) out.channel[c] = _gpy_channel(t, at, c);
    else out.channel[c] = c < 3 ? 0 : _gpy_is_float(t) ? _gpy_bits(1) : 1;
  }
  return out;
}

// A coordinate in texels: the first of two neighbours, and the weight of the second.
struct _gpy_position_on_axis {
  long long first;
  float weight;
};
static inline _gpy_position_on_axis _gpy_on_axis(const _gpy_texels& t, float x, long long n) {
  float at = t.normalized ? x * (float)n : x;
  if (!(at > -0x1p40f && at < 0x1p40f)) at = at > 0 ? 0x1p40f : at < 0 ? -0x1p40f : 0;
  if (!t.linear) return {(long long)__builtin_floorf(at), 0};
  const float back = at - 0.5f, low = __builtin_floorf(back);
  return {(long long)low, __builtin_rintf((back - low) * 256) / 256};
}

static inline void _gpy_blend(_gpy_sample& a, const _gpy_sample& b, float weight) {
  for (int c = 0; c < 4; ++c) {
    const float low = _gpy_float(a.channel[c]), high = _gpy_float(b.channel[c]);
    a.channel[c] = _gpy_bits(low * (1 - weight) + high * weight);
  }
}

// The first `axes` are sampled; a layer, if it is not negative, stands for the place along z.
static inline _gpy_sample _gpy_sampled(const _gpy_texels& t, int axes, const float* at,
                                       long long layer) {
  const long long extents[3] = {t.width, t.height, t.depth};
  long long near[3] = {0, 0, 0}, far[3] = {0, 0, 0};
  float weight[3] = {0, 0, 0};
  for (int axis = 0; axis < axes; ++axis) {
    const _gpy_position_on_axis place = _gpy_on_axis(t, at[axis], extents[axis]);
    near[axis] = _gpy_place(t.address[axis], t.normalized, place.first, extents[axis]);
    far[axis] = _gpy_place(t.address[axis], t.normalized, place.first + 1, extents[axis]);
    weight[axis] = place.weight;
  }
  if (layer >= 0) near[2] = far[2] = layer < t.depth ? layer : t.depth - 1;
  const auto along_x = [&](long long y, long long z) {
    _gpy_sample out = _gpy_texel(t, near[0], y, z);
    if (t.linear) _gpy_blend(out, _gpy_texel(t, far[0], y, z), weight[0]);
    return out;
  };
  const auto along_y = [&](long long z) {
    _gpy_sample out = along_x(near[1], z);
    if (t.linear && axes > 1) _gpy_blend(out, along_x(far[1], z), weight[1]);
    return out;
  };
  _gpy_sample out = along_y(near[2]);
  if (t.linear && axes > 2) _gpy_blend(out, along_y(far[2]), weight[2]);
  return out;
}
