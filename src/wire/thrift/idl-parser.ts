/**
 * Parses Thrift's interface language into a tree with unresolved names. It knows the part of the language that HBase's
 * two services use: namespace (ignored), typedef, enum, struct, union, exception, service, and scalar defaults; no
 * include, no const, no service that extends another.
 */

import { IdlError, type IdlToken, tokensOf } from './idl-lexer.ts'

export interface IdlType {
  readonly name: string
  /** The types of the elements of a list, set or map. */
  readonly parameters: readonly IdlType[]
  readonly line: number
}

export type Requiredness = 'required' | 'optional' | 'default'

/** A default as written: a number, a text, or the name of a bool or of an enum's member. */
export type IdlDefault = {
  readonly kind: 'number' | 'text' | 'word'
  readonly text: string
  readonly line: number
}

export interface IdlField {
  readonly id: number
  readonly name: string
  readonly requiredness: Requiredness
  readonly type: IdlType
  readonly default: IdlDefault | undefined
}

export interface IdlStruct {
  readonly kind: 'struct' | 'union' | 'exception'
  readonly name: string
  readonly fields: readonly IdlField[]
}

export interface IdlEnum {
  readonly name: string
  readonly members: ReadonlyMap<string, number>
}

export interface IdlMethod {
  readonly name: string
  readonly oneway: boolean
  /** Its name is `void` where there is no result. */
  readonly result: IdlType
  readonly parameters: readonly IdlField[]
  readonly throws: readonly IdlField[]
}

export interface IdlService {
  readonly name: string
  readonly methods: readonly IdlMethod[]
}

export interface IdlDocument {
  readonly typedefs: ReadonlyMap<string, IdlType>
  readonly enums: readonly IdlEnum[]
  readonly structs: readonly IdlStruct[]
  readonly services: readonly IdlService[]
}

/** Throws IdlError with the line. */
export function parseIdl(source: string): IdlDocument {
  return new IdlParser(tokensOf(source)).document()
}

class IdlParser {
  readonly #tokens: readonly IdlToken[]
  #next = 0

  constructor(tokens: readonly IdlToken[]) {
    this.#tokens = tokens
  }

  document(): IdlDocument {
    const typedefs = new Map<string, IdlType>()
    const enums: IdlEnum[] = []
    const structs: IdlStruct[] = []
    const services: IdlService[] = []
    while (this.#peek().kind !== 'end') {
      const token = this.#peek()
      const keyword = this.#word()
      if (keyword === 'namespace') {
        if (!this.#accept('*')) this.#word()
        this.#word()
      } else if (keyword === 'typedef') {
        const type = this.#type()
        typedefs.set(this.#word(), type)
      } else if (keyword === 'enum') {
        enums.push(this.#enum())
      } else if (keyword === 'struct' || keyword === 'union' || keyword === 'exception') {
        structs.push(this.#struct(keyword))
      } else if (keyword === 'service') {
        services.push(this.#service())
      } else {
        throw new IdlError(`unexpected '${keyword}'`, token.line)
      }
    }
    return { typedefs, enums, structs, services }
  }

  #enum(): IdlEnum {
    const name = this.#word()
    const members = new Map<string, number>()
    let value = 0
    this.#expect('{')
    while (!this.#accept('}')) {
      const member = this.#word()
      if (this.#accept('=')) value = this.#number()
      members.set(member, value++)
      this.#separator()
    }
    return { name, members }
  }

  #struct(kind: IdlStruct['kind']): IdlStruct {
    const name = this.#word()
    this.#expect('{')
    const fields = this.#fields('}')
    if (kind !== 'union') return { kind, name, fields }
    // A union has one field set: none of its fields can be required.
    return { kind, name, fields: fields.map((field) => ({ ...field, requiredness: 'optional' })) }
  }

  #service(): IdlService {
    const name = this.#word()
    const methods: IdlMethod[] = []
    this.#expect('{')
    while (!this.#accept('}')) methods.push(this.#method())
    return { name, methods }
  }

  #method(): IdlMethod {
    const oneway = this.#acceptWord('oneway')
    const result = this.#type()
    const name = this.#word()
    this.#expect('(')
    const parameters = this.#fields(')').map(parameterOf)
    let throws: readonly IdlField[] = []
    if (this.#acceptWord('throws')) {
      this.#expect('(')
      throws = this.#fields(')')
    }
    this.#separator()
    return { name, oneway, result, parameters, throws }
  }

  #fields(end: string): IdlField[] {
    const fields: IdlField[] = []
    const ids = new Set<number>()
    while (!this.#accept(end)) {
      const { line } = this.#peek()
      const field = this.#field()
      if (ids.has(field.id)) throw new IdlError(`a second field ${field.id}`, line)
      ids.add(field.id)
      fields.push(field)
    }
    return fields
  }

  #field(): IdlField {
    const id = this.#number()
    this.#expect(':')
    let requiredness: Requiredness = 'default'
    if (this.#acceptWord('required')) requiredness = 'required'
    else if (this.#acceptWord('optional')) requiredness = 'optional'
    const type = this.#type()
    const name = this.#word()
    const fallback = this.#accept('=') ? this.#default() : undefined
    this.#separator()
    return { id, name, requiredness, type, default: fallback }
  }

  #default(): IdlDefault {
    const { kind, text, line } = this.#take()
    if (kind === 'symbol' || kind === 'end') throw new IdlError(`'${text}' is no default`, line)
    return { kind, text, line }
  }

  #type(): IdlType {
    const { line } = this.#peek()
    const name = this.#word()
    const parameters: IdlType[] = []
    if (this.#accept('<')) {
      do parameters.push(this.#type())
      while (this.#accept(','))
      this.#expect('>')
    }
    return { name, parameters, line }
  }

  #separator(): void {
    if (!this.#accept(',')) this.#accept(';')
  }

  #peek(): IdlToken {
    return this.#tokens[this.#next]!
  }

  #take(): IdlToken {
    const token = this.#peek()
    if (token.kind !== 'end') this.#next++
    return token
  }

  #accept(symbol: string): boolean {
    const token = this.#peek()
    if (token.kind !== 'symbol' || token.text !== symbol) return false
    this.#next++
    return true
  }

  #acceptWord(word: string): boolean {
    const token = this.#peek()
    if (token.kind !== 'word' || token.text !== word) return false
    this.#next++
    return true
  }

  #expect(symbol: string): void {
    const { text, line } = this.#peek()
    if (!this.#accept(symbol)) throw new IdlError(`'${symbol}' expected, found '${text}'`, line)
  }

  #word(): string {
    const { kind, text, line } = this.#take()
    if (kind !== 'word') throw new IdlError(`a name expected, found '${text}'`, line)
    return text
  }

  #number(): number {
    const { kind, text, line } = this.#take()
    if (kind !== 'number') throw new IdlError(`a number expected, found '${text}'`, line)
    return Number(text)
  }
}

/** The Apache compiler ignores `optional` on parameters. */
function parameterOf(field: IdlField): IdlField {
  return field.requiredness === 'optional' ? { ...field, requiredness: 'default' } : field
}
