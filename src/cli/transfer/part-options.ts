/** Flags of the commands that move data: which tables, and which part of them. */

import { type Command, InvalidArgumentError } from 'commander'
import { EMPTY } from '../../model/bytes.ts'
import { columnsNamed } from '../../model/column-name.ts'
import { parseTableName, type TableName } from '../../model/table-name.ts'
import { TimeRange } from '../../model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../model/timestamp.ts'
import type { Part } from '../../transfer/raw-cells.ts'
import { unescapedText } from '../../wire/text/escaped-text.ts'

export interface PartFlags {
  readonly startRow?: Buffer
  readonly stopRow?: Buffer
  readonly startTime?: bigint
  readonly endTime?: bigint
  readonly columns?: readonly Buffer[]
}

/** Bytes that are no text are written `\xHH`. */
export function parseBytes(text: string): Buffer {
  try {
    return unescapedText(text)
  } catch {
    throw new InvalidArgumentError('A backslash must begin \\xHH.')
  }
}

/** Throws InvalidArgumentError. */
export function parseTime(text: string): bigint {
  const time = /^\d{1,19}$/.test(text) ? BigInt(text) : -1n
  if (time < 0n || time > LATEST_TIMESTAMP)
    throw new InvalidArgumentError('It must be a timestamp, from 0 to 9223372036854775807.')
  return time
}

export function parseColumns(text: string): Buffer[] {
  return text.split(',').map(parseBytes)
}

export function parseTable(text: string): TableName {
  try {
    return parseTableName(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

export function addPartOptions(command: Command): Command {
  return command
    .option('--start-row <row>', 'the first row; bytes that are no text as \\xHH', parseBytes)
    .option('--stop-row <row>', 'the row before which it ends', parseBytes)
    .option('--start-time <timestamp>', 'no older cells', parseTime)
    .option('--end-time <timestamp>', 'only cells older than this', parseTime)
    .option(
      '--columns <names>',
      'families and columns, FAMILY or FAMILY:QUALIFIER, with commas',
      parseColumns,
    )
}

export function partOf({ startRow, stopRow, startTime, endTime, columns }: PartFlags): Part {
  return {
    startRow: startRow ?? EMPTY,
    stopRow: stopRow ?? EMPTY,
    timeRange: TimeRange.between(startTime ?? 0n, endTime ?? LATEST_TIMESTAMP),
    columns: columnsNamed(columns ?? []),
  }
}

/** A name of the part: two parts that differ have two names. */
export function partText({ startRow, stopRow, startTime, endTime, columns }: PartFlags): string {
  return [base64(startRow), base64(stopRow), startTime ?? '', endTime ?? '', columns?.map(base64) ?? ''].join(
    '|',
  )
}

function base64(bytes: Buffer | undefined): string {
  return bytes?.toString('base64') ?? ''
}
