/** Whether the KeyValue at `cell` is of the row. Compares from the end: rows that follow each other mostly differ there. */
export function isOfRow(view: DataView, cell: number, row: Buffer): boolean {
  if (view.getUint16(cell + 8) !== row.length) return false
  const start = cell + 10
  for (let i = row.length - 1; i >= 0; i--) if (view.getUint8(start + i) !== row[i]) return false
  return true
}
