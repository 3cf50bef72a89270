/** A token of Thrift's interface language, and the line on which it stands. */
export interface IdlToken {
  readonly kind: 'word' | 'number' | 'text' | 'symbol' | 'end'
  readonly text: string
  readonly line: number
}

/** The text is not IDL, or uses a part of the language that this parser does not know. */
export class IdlError extends Error {
  override readonly name = 'IdlError'

  constructor(message: string, line: number) {
    super(`line ${line}: ${message}`)
  }
}

// One alternative a kind, in this order: blank and comments, word, number, quoted text, symbol.
const TOKEN =
  /(\s+|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)|([A-Za-z_][\w.]*)|([+-]?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?))|"([^"\n]*)"|'([^'\n]*)'|([{}()<>,:;=*])/y

export function tokensOf(source: string): IdlToken[] {
  const tokens: IdlToken[] = []
  let line = 1
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.length) {
    const start = TOKEN.lastIndex
    const match = TOKEN.exec(source)
    if (match === null) throw new IdlError(`unexpected ${JSON.stringify(source[start])}`, line)
    const [all, blank, word, number, double, single, symbol] = match
    if (blank !== undefined) {
      line += all.split('\n').length - 1
    } else if (word !== undefined) {
      tokens.push({ kind: 'word', text: word, line })
    } else if (number !== undefined) {
      tokens.push({ kind: 'number', text: number, line })
    } else if (symbol !== undefined) {
      tokens.push({ kind: 'symbol', text: symbol, line })
    } else {
      tokens.push({ kind: 'text', text: double ?? single ?? '', line })
    }
  }
  tokens.push({ kind: 'end', text: 'the end', line })
  return tokens
}
