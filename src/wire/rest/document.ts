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
