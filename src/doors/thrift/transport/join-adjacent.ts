/** Pieces of one slab that follow one another, as one; the others as they are. In place. */
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
