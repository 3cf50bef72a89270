/** A row as Thrift 2 answers it. */
export interface Result {
  readonly columnValues: readonly { readonly value: Buffer }[]
}

/** In HBase's order. */
export function valuesOfResults(results: readonly Result[]): string[] {
  return results.flatMap(({ columnValues }) => columnValues.map(({ value }) => value.toString()))
}
