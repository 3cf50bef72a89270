/** The forms of REST's documents other than cell sets. */
export type DocumentFormat = 'text' | 'xml' | 'json' | 'protobuf'

/** A small answer in every form, such as a schema or a list of tables. */
export interface RestDocument {
  text(): string
  /** Without the XML declaration. */
  xml(): string
  /** The value that JSON.stringify turns into the answer. */
  json(): unknown
  protobuf(): Uint8Array
}

/** The parts of an answer, one behind the other; each takes a fraction of a millisecond. */
export type DocumentParts = Generator<string | Uint8Array, void>

/** An answer with as many parts as there are regions. JSON comes as text. */
export type LongDocument = Readonly<Record<DocumentFormat, () => DocumentParts>>
