/** A dump's items as lines: the kind, then what it has. */

import { type CellText, keyLine } from '../cells/cell-text.ts'
import type { DumpItem } from './dump-item.ts'

export function dumpLine(item: DumpItem): string {
  const { kind, ...fields } = item
  switch (kind) {
    case 'cell':
      return cellLine(item as unknown as CellText & { value?: string; tags?: string; sequenceId: number })
    case 'info':
      return `info ${String(fields['name'])}=${valueText(fields['value'])}`
    case 'edit':
      return `edit offset=${String(fields['offset'])} ${JSON.stringify(fields['edit'])}`
    case 'limit':
      return `... (the limit of ${String(fields['limit'])} is reached)`
    case 'damage':
      return `DAMAGE ${fieldsText(fields)}`
    default:
      return `${kind} ${fieldsText(fields)}`
  }
}

function cellLine(cell: CellText & { value?: string; tags?: string; sequenceId: number }): string {
  const value = cell.value === undefined ? '' : ` value=${cell.value}`
  const tags = cell.tags === undefined ? '' : ` tags=${cell.tags}`
  return `  ${keyLine(cell)} seqid=${cell.sequenceId}${value}${tags}`
}

function fieldsText(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(' ')
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
