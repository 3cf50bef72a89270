/**
 * Files that HBase 2.6.1 flushed, of a table with VERSIONS 5: 60 rows of two columns, every tenth with a cell TTL (a
 * tag); one row of odd bytes and times; a tombstone of each kind; a value larger than a block. `row` has BLOOMFILTER
 * ROW, BLOCKSIZE 1024, no compression; `rowcol-gz` ROWCOL, 2048, GZ.
 */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { HFileWriter } from '../../../../adapters/native/hfile/hfile-writer.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { packageRoot } from '../../../../src/package-root.ts'
import { allCells, NEWEST, open } from './cells.ts'
import { expectedCells } from './fixture-cells.ts'
import { MemoryFile } from './memory-file.ts'

const FILES = ['row', 'rowcol-gz'] as const

function hbaseFile(name: string): MemoryFile {
  const url = new URL(`test/adapters/native/hfile/fixtures/hbase-2.6.1-${name}.hfile`, packageRoot())
  return new MemoryFile(`hbase-2.6.1-${name}.hfile`, readFileSync(url))
}

test.each(FILES)('%s: every cell, with its sequence id and tags', (name) => {
  const hfile = open(hbaseFile(name))
  expect(allCells(hfile)).toEqual(expectedCells())
  expect([hfile.entryCount, hfile.maxSequenceId, hfile.maxCellSequenceId]).toEqual([127, 70, 69])
  expect([hfile.firstRow.toString(), hfile.lastRow.toString('hex')]).toEqual(['row000', 'ff00fe'])
})

test.each(FILES)('%s: every cell is found by a seek', (name) => {
  const at = open(hbaseFile(name)).iterator(NEWEST)
  for (const { keyValue } of expectedCells()) {
    at.seek(keyValue, 0)
    expect(at.buffer.subarray(at.cell, at.cell + at.cellBytes)).toEqual(keyValue)
  }
})

test('the filters that HBase wrote know its rows and columns and few others', () => {
  const [byRow, byColumn] = FILES.map((name) => open(hbaseFile(name))) as [
    ReturnType<typeof open>,
    ReturnType<typeof open>,
  ]
  let wrong = 0
  for (let i = 0; i < 60; i++) {
    const row = Buffer.from(`row${String(i).padStart(3, '0')}`)
    expect(byRow.mayHaveRow(row)).toBe(true)
    expect(byColumn.mayHaveColumn(row, EMPTY)).toBe(true)
    expect(byColumn.mayHaveColumn(row, Buffer.from('q'))).toBe(true)
    if (byRow.mayHaveRow(Buffer.from(`row${String(i).padStart(3, '0')}x`))) wrong++
    if (byRow.mayHaveFamilyDelete(row)) wrong++
  }
  // Two of the rows really have such a tombstone.
  expect(wrong).toBeLessThan(2 + 6)
  expect(byColumn.mayHaveColumn(Buffer.from('row050'), Buffer.from('large'))).toBe(true)
  expect(byRow.mayHaveFamilyDelete(Buffer.from('row005'))).toBe(true)
  expect(byRow.mayHaveFamilyDelete(Buffer.from('row006'))).toBe(true)
})

test('our writer makes the same file, byte for byte, of the same cells', () => {
  const theirs = hbaseFile('row')
  const ours = new MemoryFile()
  const createTime = open(theirs).info.getLong('hfile.CREATE_TIME_TS')!
  const writer = new HFileWriter(ours, { createTime, blockBytes: 1024, bloomType: 'ROW', includeTags: true })
  for (const { keyValue, sequenceId, tags } of expectedCells()) {
    writer.append(Buffer.concat([keyValue, tags]), 0, sequenceId, keyValue.length, tags.length)
  }
  writer.finish({ maxSequenceId: 70, majorCompaction: false })
  expect(ours.bytes.equals(theirs.bytes)).toBe(true)
})
