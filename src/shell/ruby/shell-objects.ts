/** Answers of commands that Ruby has no literal for. */

import type { ShellObject, Value } from './values.ts'

/** A reference of a table, whose methods are commands. */
export interface TableReference extends ShellObject {
  readonly kind: 'table'
  readonly table: string
}

export function tableReference(table: string): TableReference {
  return { kind: 'table', label: `Hbase::Table - ${table}`, table }
}

/** An answer that has no literal. `items`: its elements, for `.size`, `.first` and `.last`. */
export interface OpaqueAnswer extends ShellObject {
  readonly kind: 'other'
  readonly items: readonly Value[]
}

export function opaque(label: string, items: readonly Value[] = []): OpaqueAnswer {
  return { kind: 'other', label, items }
}
