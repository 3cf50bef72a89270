/**
 * Bytes with a DataView over them. Words through the views are the fastest way to copy the parts of cells: 42 ns for 100
 * bytes, where Buffer.copy takes 95 ns at any length. A view pays for itself over several copies: making one costs as
 * much as a copy.
 */
export class ViewedBytes {
  static readonly EMPTY: ViewedBytes = new ViewedBytes(Buffer.alloc(0))

  readonly buffer: Buffer
  readonly view: DataView

  constructor(buffer: Buffer) {
    this.buffer = buffer
    this.view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
  }
}

/** Above this length the native copy beats the words. */
export const WORD_COPY_BYTES_MAX = 256

/** Copies `length` bytes; returns the offset after them. */
export function copyViewed(
  source: ViewedBytes,
  start: number,
  length: number,
  target: ViewedBytes,
  offset: number,
): number {
  if (length > WORD_COPY_BYTES_MAX) source.buffer.copy(target.buffer, offset, start, start + length)
  else copyWords(source.view, start, target.view, offset, length)
  return offset + length
}

/** Eight words a step. */
function copyWords(source: DataView, from: number, target: DataView, to: number, bytes: number): void {
  if (bytes < 4) {
    for (let i = 0; i < bytes; i++) target.setUint8(to + i, source.getUint8(from + i))
    return
  }
  let i = 0
  for (; i + 32 <= bytes; i += 32) {
    const s = from + i
    const t = to + i
    // All reads before the writes: after a write V8 looks up anew where a view's bytes are.
    const word0 = source.getInt32(s, true)
    const word1 = source.getInt32(s + 4, true)
    const word2 = source.getInt32(s + 8, true)
    const word3 = source.getInt32(s + 12, true)
    const word4 = source.getInt32(s + 16, true)
    const word5 = source.getInt32(s + 20, true)
    const word6 = source.getInt32(s + 24, true)
    const word7 = source.getInt32(s + 28, true)
    target.setInt32(t, word0, true)
    target.setInt32(t + 4, word1, true)
    target.setInt32(t + 8, word2, true)
    target.setInt32(t + 12, word3, true)
    target.setInt32(t + 16, word4, true)
    target.setInt32(t + 20, word5, true)
    target.setInt32(t + 24, word6, true)
    target.setInt32(t + 28, word7, true)
  }
  // Whole words, and one more that ends where the bytes end.
  const last = bytes - 4
  for (; i < last; i += 4) target.setInt32(to + i, source.getInt32(from + i, true), true)
  target.setInt32(to + last, source.getInt32(from + last, true), true)
}
