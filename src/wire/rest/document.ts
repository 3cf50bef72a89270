/** The forms in which REST gives and takes what is not a cell set. */
export type DocumentFormat = 'text' | 'xml' | 'json' | 'protobuf'

/** A small answer, such as a schema or a list of tables, that can be written in every form. */
export interface RestDocument {
  text(): string
  /** Without the declaration. */
  xml(): string
  /** What JSON.stringify makes the answer of. */
  json(): unknown
  protobuf(): Uint8Array
}
