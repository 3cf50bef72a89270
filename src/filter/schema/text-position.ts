/** The number, from 1, of the UTF-8 character at a byte offset. */
export function characterAt(text: Buffer, offset: number): number {
  let character = 1
  for (let i = 0; i < offset && i < text.length; i++) {
    if ((text[i]! & 0xc0) !== 0x80) character++
  }
  return character
}
