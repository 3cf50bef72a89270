import { expect, test } from 'vitest'
import { packageVersion } from '../../src/cli/machine/version.ts'
import { askOnce, isWholeFrame } from '../harness/closed-loop.ts'
import {
  createTable,
  getRow,
  i32Answer,
  mutateRow,
  scannerClose,
  scannerOpenWithScan,
} from '../harness/thrift-frames.ts'
import { inTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'

/** The samples of Tidegate's own metrics that are not zero, and of histograms the counts. */
async function samples(port: number): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = [...text.matchAll(/^tidegate_(\S+) (\S+)$/gm)]
  return Object.fromEntries(
    lines
      .map((line) => [line[1]!, Number(line[2])] as const)
      .filter(([name, value]) => value !== 0 && !/^\w+_seconds_(?:bucket|sum)\b/.test(name)),
  )
}

function call(method: string, outcome: string): string {
  return `requests_total{door="thrift",service="Hbase",method="${method}",outcome="${outcome}"}`
}

function took(door: string, service: string, method: string): string {
  return `request_seconds_count{door="${door}",service="${service}",method="${method}"}`
}

function request(service: string, method: string, outcome: string): string {
  return `requests_total{door="rest",service="${service}",method="${method}",outcome="${outcome}"}`
}

test('what clients ask for is counted exactly, and told over the web door', () =>
  inTemporaryFolder(async (folder) => {
    const server = await startTidegate(`native:${folder}`)
    const thrift = (frame: Buffer): Promise<Buffer> => askOnce(server.port('thrift'), frame, isWholeFrame)
    const rest = async (method: string, path: string, body?: string): Promise<number> => {
      const headers = { accept: 'application/json', 'content-type': 'application/octet-stream' }
      const url = `http://127.0.0.1:${server.port('rest')}${path}`
      const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
      await answer.arrayBuffer()
      return answer.status
    }
    try {
      await thrift(createTable('t', 'f'))
      for (let i = 0; i < 5; i++) await thrift(mutateRow('t', `r${i}`, 'f:q', 'v'))
      for (let i = 0; i < 7; i++) await thrift(getRow('t', 'r0'))
      for (let i = 0; i < 2; i++) await thrift(getRow('nowhere', 'r0'))
      await thrift(scannerOpenWithScan('t', 10))
      await thrift(scannerClose(i32Answer(await thrift(scannerOpenWithScan('t', 10)))))
      await thrift(scannerClose(77))
      await thrift(Buffer.from([0, 0, 0, 14, 0x80, 1, 0, 1, 0, 0, 0, 2, 0x6e, 0x6f, 0, 0, 0, 1]))
      for (let i = 0; i < 3; i++) expect(await rest('GET', '/t/r0')).toBe(200)
      expect(await rest('GET', '/t/nothing')).toBe(404)
      expect(await rest('PUT', '/t/r9/f:q', 'v')).toBe(200)
      expect(await rest('GET', '/t/*')).toBe(200)
      expect(await rest('HEAD', '/version')).toBe(200)
      expect(await rest('PATCH', '/t/schema')).toBe(405)
      expect(await rest('BREW', '/t/schema')).toBe(405)
      expect(await rest('GET', '/t/schema/x')).toBe(404)

      const counted = await samples(server.port('web'))
      const memory = ['native_wal_bytes', 'native_memstore_bytes', 'connections{door="rest"}'].concat(
        'native_block_cache_max_bytes',
        'memory_max_bytes',
        'memory_granted_bytes',
        'native_recovery_seconds',
        'native_disk_bytes',
        'native_disk_free_bytes',
        'native_memstore_data_bytes',
        'native_table_log_bytes{table="t"}',
        'native_table_memstore_bytes{table="t"}',
      )
      for (const name of memory) {
        expect(counted[name], name).toBeGreaterThan(0)
        delete counted[name]
      }
      // Nothing, where a collection has just been.
      expect(counted['memory_uncollected_bytes']).toBeGreaterThanOrEqual(0)
      delete counted['memory_uncollected_bytes']
      expect(counted).toEqual({
        [`info{version="${packageVersion()}",store="native"}`]: 1,
        serving: 1,
        [call('createTable', 'ok')]: 1,
        [call('mutateRow', 'ok')]: 5,
        [call('getRow', 'ok')]: 7,
        [call('getRow', 'refused')]: 2,
        [call('scannerOpenWithScan', 'ok')]: 2,
        [call('scannerClose', 'ok')]: 1,
        [call('scannerClose', 'refused')]: 1,
        [request('row', 'GET', 'ok')]: 4,
        [request('row', 'PUT', 'ok')]: 1,
        [request('scan', 'GET', 'ok')]: 1,
        [request('version', 'HEAD', 'ok')]: 1,
        [request('schema', 'other', 'refused')]: 2,
        [request('other', 'GET', 'refused')]: 1,
        [took('thrift', 'Hbase', 'createTable')]: 1,
        [took('thrift', 'Hbase', 'mutateRow')]: 5,
        [took('thrift', 'Hbase', 'getRow')]: 9,
        [took('thrift', 'Hbase', 'scannerOpenWithScan')]: 2,
        [took('thrift', 'Hbase', 'scannerClose')]: 2,
        [took('rest', 'row', 'GET')]: 4,
        [took('rest', 'row', 'PUT')]: 1,
        [took('rest', 'scan', 'GET')]: 1,
        [took('rest', 'version', 'HEAD')]: 1,
        [took('rest', 'schema', 'other')]: 2,
        [took('rest', 'other', 'GET')]: 1,
        'native_stage_seconds_count{stage="log_append"}': 7,
        'native_stage_seconds_count{stage="log_sync"}': 1,
        'errors_total{door="thrift",code="TABLE_NOT_FOUND"}': 2,
        'errors_total{door="thrift",code="UNKNOWN_SCANNER"}': 1,
        'errors_total{door="thrift",code="PROTOCOL"}': 1,
        'errors_total{door="rest",code="ILLEGAL_ARGUMENT"}': 3,
        'errors_total{door="rest",code="PROTOCOL"}': 1,
        'connections{door="web"}': 1,
        'open_scanners{door="thrift",service="Hbase"}': 1,
        native_regions: 1,
        native_wal_files: 1,
      })
    } finally {
      expect(await server.stop()).toBe(0)
    }
  }))
