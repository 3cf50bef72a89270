import type { ByteOutput } from '../byte-output.ts'

/** Seven bits a byte, the lowest first. `value` is not negative. HBase: ByteBufferUtils.putCompressedInt. */
export function writeVarint(output: ByteOutput, value: number): void {
  output.reserve(5)
  const { buffer } = output
  while (value > 0x7f) {
    buffer[output.length++] = (value & 0x7f) | 0x80
    value >>>= 7
  }
  buffer[output.length++] = value
}
