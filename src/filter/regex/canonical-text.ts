/**
 * The composed form (NFC) of a text, made piece by piece. To put combining marks in order takes time as the square of their number, so
 * that a megabyte of them would take hours in one piece.
 */

/** Code units of a piece, before its end is looked for. */
const PIECE_UNITS = 1024
/** More of them without a place where a piece can end do not belong together in any language: the piece ends there. */
const PIECE_UNITS_MAX = 2 * PIECE_UNITS

export class CanonicalText {
  readonly #text: string
  readonly #pieces: string[] = []
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Undefined until the last piece is made. */
  get composed(): string | undefined {
    return this.#position < this.#text.length ? undefined : this.#pieces.join('')
  }

  /** Makes one piece more. */
  next(): void {
    const end = pieceEnd(this.#text, this.#position)
    this.#pieces.push(this.#text.slice(this.#position, end).normalize('NFC'))
    this.#position = end
  }
}

/** The composed form of a short text. */
export function canonicalText(text: string): string {
  const canonical = new CanonicalText(text)
  while (canonical.composed === undefined) canonical.next()
  return canonical.composed
}

function pieceEnd(text: string, start: number): number {
  const last = Math.min(text.length, start + PIECE_UNITS_MAX)
  for (let end = start + PIECE_UNITS; end < last; end++) if (isAlone(text.charCodeAt(end))) return end
  return last < text.length && isLowSurrogate(text.charCodeAt(last)) ? last - 1 : last
}

/** True for characters that compose with no character before them: letters without marks, syllables and signs of East Asia. */
function isAlone(unit: number): boolean {
  return (
    unit < 0x300 ||
    (unit >= 0x1100 && unit <= 0x1112) ||
    (unit >= 0x3400 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3)
  )
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
