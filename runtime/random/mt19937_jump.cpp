#include <cstdint>

#include "runtime/random/mt19937.h"

// H. Haramoto et al., "Efficient jump ahead for F2-linear random number generators" (2008): a jump
// is a polynomial in the step, x^(2^128) modulo the step's minimal polynomial.

namespace gpy::rt {
namespace {

constexpr int kDegree = 19937;

// The coefficients, lowest first.
constexpr uint64_t kJump[(kDegree + 63) / 64] = {
    // clang-format off
    0xb5709ec472de3963u, 0xa823f8e588279bb6u, 0x041f225926d83e59u, 0x8b521777e7fdbb15u,
    0xbf2812d548b5e756u, 0x0b4849aae4b0adb9u, 0xe96d39ce3e928b83u, 0x09eaf2e8af6131d3u,
    0xc1814c7b33548456u, 0xfebd07bc893a7c83u, 0x5147dcbf01bd8267u, 0x9afef574e2a67de6u,
    0xf0d3decab8334d09u, 0xd884703b5561fd58u, 0xb39b8f42ef5c803bu, 0xd61cfed320dfb761u,
    0x47416177cf5f3e5bu, 0x8ea9cfab8e8442e9u, 0x60ddf78d585d0ec0u, 0xf0f7d60e2c9b8528u,
    0xca3ee37db2bb3bfcu, 0x870ed96981c9e659u, 0xce5248519573a0deu, 0x73cda5ed77683b94u,
    0xf43b956c56bcfcbcu, 0xbf04b4001f91de14u, 0x1d8598319438c481u, 0x9d97aed5ca6ae0a2u,
    0xe75c95199e464218u, 0xcd43455c253c5486u, 0x7f8282d473b5ccd8u, 0x192ddf99c8cacd44u,
    0x5288b589d6be8546u, 0x9819557fb4f26ca7u, 0x03e73d28200570ebu, 0x78a114c9264acc04u,
    0x42eee89795f0fb7bu, 0x67e751e8abcc80c2u, 0x140e87ef1330cc85u, 0xd3f8525e913b9a96u,
    0x1ba1158f3ee3d205u, 0x1f6aa87d2c4cdb89u, 0x878b32239b5e9a3au, 0xa48c7778a498c3edu,
    0x1d08f055974ac066u, 0xd6de80e9c8a08242u, 0x2892ce4ca1cf0b40u, 0x604168ae842731c7u,
    0xbecff8b2dd23ee6du, 0xa4369751dfac7287u, 0x4a5840d9ba8bc89du, 0xf53bdbeda7a58582u,
    0xa4149d1ccfba4997u, 0xf2c72905d5c66fc3u, 0xae4d8e96ce68ad39u, 0xc588f396f213a9b5u,
    0x2c618d4e9d6116bbu, 0xebfb61f3b34420d1u, 0xcbdca6f23b702ed7u, 0xbe2833957cb78166u,
    0x20c0d09603a2436au, 0xbf49b815e190aa6fu, 0x9b45b90349d78dc3u, 0x67eb90e30aa4c4c8u,
    0x7f5ceab1f32b13f0u, 0x641eaedbccc48294u, 0x80b553586d6aafb6u, 0xf1fa779a72b55832u,
    0x8992aefd3b60af74u, 0x283594724fa609f2u, 0x527dc1a961e7aaf1u, 0xbcad693f834e8087u,
    0x95171796c9ca3bf6u, 0xb7d367759f41164au, 0x5c77677bcf20cf3bu, 0x47dfd69ff4765b01u,
    0xd708247fd90d6e15u, 0xad7996285fe95113u, 0xfcfb0ce2c627f9f2u, 0x4b0033800f2441ceu,
    0x50fa780b72161100u, 0xb71ca8b71f72b11au, 0x5475baceffab42fdu, 0x356eef7891c28b39u,
    0xdc80086d1441c9c3u, 0xb5c30ec996c47491u, 0xa9321adda254e42du, 0xc30bee5b963a3612u,
    0xdf141323635c75c7u, 0x8926e38f38308f58u, 0x897754d871b69592u, 0x5bc061743cddde5eu,
    0xbebb80a7ad520904u, 0xd91d5d335cc284d4u, 0x11090e418c6ba748u, 0x462cffbc33bb9929u,
    0xefc68605c42a508eu, 0x230e6cd9602a3a14u, 0x49b8eb3126c6f9f4u, 0x7c49e7a451bd358fu,
    0x1910bb3947b592cbu, 0xad0ca5183ced6a5bu, 0xd98ca57993461dcbu, 0xecc5cb659526948eu,
    0x0bddc87dfd1a431bu, 0x7d9820ac5d694024u, 0x716c1ae1ffeb5538u, 0x04f8ed8613cffb2fu,
    0x1b32eb97d777f039u, 0x893da4ee87c1a95fu, 0x965118d4c235f16cu, 0xf99023e2e87994bau,
    0x891268a5bb8c4545u, 0x4d163861e7cf46b4u, 0xca688c0e0b2c5681u, 0xb86346b536702e5fu,
    0x72a6013755e311bbu, 0x47d10e13142fdc5cu, 0xac088c30a34ce0cbu, 0x4d79a2e88f9503feu,
    0x02b4c095937670c7u, 0x080533c020f8f5e0u, 0xab1d0c2581fe8f32u, 0xb601bb28048f776du,
    0xf8b8e16e96004a47u, 0x4a9fa0426862af7bu, 0x54384ad4b0b6f662u, 0x81670a57a350c0eeu,
    0x3a2c282026061dc1u, 0xb9749667b575f899u, 0xaa853838738dfc2au, 0xa53a92a400ccc442u,
    0xbdc8cfa2cfaf5a3eu, 0x529fee9d09884265u, 0x966c709ea4d7f84fu, 0xd14265d44c80bc42u,
    0xb23c2aedf5ebe7f3u, 0xb7d47c42804523f1u, 0x73370568a7cb0aa9u, 0x66158a1e06d90ac5u,
    0xc4a3898c9805c7adu, 0x7fc536907890addeu, 0xc5427e0885c39b20u, 0x2fba05edc0c864f8u,
    0x210ad2bfc365017au, 0x609ca0038ffb95eau, 0x84e663c48e6c4f72u, 0x753c1ca83c110562u,
    0x48642afc8700b723u, 0xcef1123e14ac952cu, 0xf075b8b8ed84973cu, 0xf00a255a0ceac5c9u,
    0x7e77e0dadfcd487cu, 0x0071cb978be5750cu, 0x28c4386f560827feu, 0xbf6b3ad6af4049f0u,
    0x2e3006d1a911aaddu, 0x2e8489f95eb5bb74u, 0x84278164c36fb83du, 0x61e0e6be82302b47u,
    0x11b59c560422260eu, 0x9cd5ecaae4f20c9cu, 0x9bc72523f866e2dau, 0x816f533c52c41667u,
    0xa0dbff9e47a3235eu, 0xea9ca5a30c62a756u, 0xc51267e9de0761a6u, 0xf28b88663eed2af6u,
    0xfd769663695ed01fu, 0xbc47fcdf9065af4eu, 0x424e389cdfca6259u, 0xbb03335e166c2c1bu,
    0xc4be33dd2a73a1a1u, 0x45746bc2e690d058u, 0x07d38d7f94b43407u, 0x74b851e460854fb3u,
    0xd99df507db3d2ac2u, 0x5d6c254c86d3323bu, 0xb4dd303282bfac22u, 0xb7261a5fb27e023bu,
    0x40f361bf34fe8179u, 0xe716500e6c9e7858u, 0x35c6ee0b65873b06u, 0xe4c5d4fcfb2864e7u,
    0x858ee284281901c6u, 0x44803a65e5fca3cdu, 0xf9f41e41f850f7f6u, 0x87cbf3c965eb5539u,
    0xae056412be2f8074u, 0xd8fe916f3c5cb955u, 0xd18ccb5eaec289dfu, 0x446157f20eef81bfu,
    0xde9821754690364au, 0xd094591bc1597ea0u, 0x79676e7ab1ed3e17u, 0xa283bdf6c495ebc1u,
    0x6a06b25c648c3570u, 0x0deb138c398b0580u, 0x4e3d096ae51108edu, 0xafde012b1dda7416u,
    0xcb001892722f0317u, 0x82d756d223875cf7u, 0x2091ce44c99114deu, 0x8a944ef9d24757b4u,
    0xedf8f12b8594145au, 0xf30c0ce9998c4affu, 0xba657a589ce601a0u, 0x94e6ec8d36a851ddu,
    0x86ada470ed46b938u, 0x46c714b9409b507du, 0xb628043e05c862a8u, 0x8d763a8c7ac4a188u,
    0x7f5ba7970adc18b6u, 0x5db4bc6b69073599u, 0x3d087e22444d59d3u, 0x61466f51e9c04e89u,
    0x151fd405548aa4e6u, 0x6090566191555389u, 0x3e3c85615e8d5619u, 0x2491156c39c6b81cu,
    0x17b4d42cfc2fd4a6u, 0x2bd704cf82c9bcf9u, 0x054032407b2568ecu, 0x7e037b6b5d2268d9u,
    0x231f10e7d86bec7au, 0x964f8501ba016830u, 0x9873c321a3b7321fu, 0xa5a250e1350ac2ddu,
    0xc738d24726578385u, 0xcd33873c012541cau, 0xd0cdc82cc5907f19u, 0x5656cca45c2b540au,
    0xa3d987b81f887dd1u, 0x06a2847883e7fe48u, 0x465f2df8945682dbu, 0xfac8ffbc9b494ce1u,
    0xb12ac825598f39cdu, 0x3e5c217efa99231bu, 0xe550fdba3b2d8ba2u, 0x846a67338e510006u,
    0xee48a9263e573194u, 0x41c394c85ccd36bdu, 0xa19b67f210a79620u, 0x8a285c068b3fd2a6u,
    0x3637050a3a1797d9u, 0x7295647e63dfca07u, 0xbe8e76017a7b3bbau, 0x3c1e511aea660549u,
    0x06c40c25c7a1931au, 0x7d1886643796cf70u, 0xb9f70031ccd9fa38u, 0x87fe9735601e2c75u,
    0xef645dd6f8cd68b0u, 0x535d71387d05b323u, 0x90327a265c02f47fu, 0xabd5ea2563ecd3b2u,
    0x302c164101624325u, 0x1cdfa6bcdbfbeb93u, 0xb15987ed866519a2u, 0x0c31ec84113296f1u,
    0xb4132090232a35b2u, 0x535172e392d0c3c5u, 0xfc24a0a9095ffccbu, 0x2546326e932c038eu,
    0x1bbafc54ccc15e47u, 0xa84866303cf2a838u, 0x8405b4ae1057e025u, 0x1eec4c73da36738du,
    0x4f9ff10488b30f90u, 0x6eab7da885eea780u, 0x6fe9593d40d9fdbeu, 0x65606c0c3c850d3cu,
    0x70308a34b078a231u, 0x6d9a7cbe635af9bdu, 0x63660519ed73ee32u, 0x0e62955f1701dd8du,
    0x9cb66a13180db0e9u, 0x78fb88aad3c2cd3eu, 0xa2859c5285fdbe48u, 0x902ffd419579f8f8u,
    0x1f5e048a4b7c6a7bu, 0x706d24958e262d89u, 0x816d7f42ebbbd878u, 0x3e6cc58a88cdfbf1u,
    0xaa7dfafd754a64abu, 0xb63cd2f7e98d0a02u, 0x72c5b57f38c8c85cu, 0xe479da34b97f2b0au,
    0x7c86232a553e33f7u, 0xedc6266db35cc8f8u, 0x14b7f688ca67e7feu, 0xb3d3d66f072d997bu,
    0x121005b9528c6a42u, 0x87d31f390df2b622u, 0xedaedb3712ce5fd4u, 0x8e53ff2549dec2f4u,
    0x764041aae79e435au, 0xb359bd5e29a3ee70u, 0x303acd045aa2b047u, 0x165795c2b82a2d07u,
    0x950faac1a64ab733u, 0xff195e03dfa2861fu, 0x5eb360ec8cd6e865u, 0x19e1a74d639cb063u,
    0x775c20d67ec12528u, 0x08722d7fa44c4ddfu, 0x83d145bcb0c92d32u, 0x73da60e43b2207e8u,
    0x962813b9a13d0929u, 0xeb6572d6738f420bu, 0x80a4a0ef151a52cau, 0x0000000023eee457u,
    // clang-format on
};

bool coefficient(int i) { return kJump[i / 64] >> (i % 64) & 1; }

}  // namespace

// The state as one step leaves it: one word of it is new.
void Mt19937::step() {
  const int next = (position_ + 1) % kLength;
  const uint32_t y = (state_[position_] & 0x80000000u) | (state_[next] & 0x7fffffffu);
  state_[position_] =
      state_[(position_ + kShiftSize) % kLength] ^ y >> 1 ^ ((y & 1) ? 0x9908b0dfu : 0);
  position_ = next;
}

// Sums are of words at the same distance from the positions.
void Mt19937::add(const Mt19937& other) {
  for (int i = 0; i < kLength; ++i) {
    state_[(position_ + i) % kLength] ^= other.state_[(other.position_ + i) % kLength];
  }
}

void Mt19937::jump() {
  if (position_ >= kLength) position_ = 0;
  int i = kDegree - 1;
  while (!coefficient(i)) --i;
  Mt19937 sum = *this;
  for (--i; i >= 0; --i) {
    sum.step();
    if (coefficient(i)) sum.add(*this);
  }
  *this = sum;
  temper();
}

}  // namespace gpy::rt
