/** The formats of files of cells, by their names. */

import type { CellReader, CellWriter } from './cell-format.ts'
import { cellTableWriter, readCellTable } from './cell-table.ts'
import { exportFileWriter, readExportFile } from './export-file.ts'
import { readRowLines, rowLinesWriter } from './row-lines.ts'

export interface FileFormat {
  readonly writer: () => CellWriter
  readonly read: CellReader
}

export const FORMATS: Readonly<Record<'ndjson' | 'csv' | 'sequence', FileFormat>> = {
  ndjson: { writer: rowLinesWriter, read: readRowLines },
  csv: { writer: cellTableWriter, read: readCellTable },
  sequence: { writer: exportFileWriter, read: readExportFile },
}

export type FormatName = keyof typeof FORMATS
