/** Joins pieces that follow one another in one slab. Works in place. */
export function joinAdjacent(pieces: Buffer[]): Buffer[] {
  let kept = 0
  for (let i = 1; i < pieces.length; i++) {
    const last = pieces[kept]!
    const piece = pieces[i]!
    if (last.buffer === piece.buffer && last.byteOffset + last.length === piece.byteOffset) {
      pieces[kept] = Buffer.from(last.buffer, last.byteOffset, last.length + piece.length)
    } else {
      pieces[++kept] = piece
    }
  }
  pieces.length = Math.min(pieces.length, kept + 1)
  return pieces
}
