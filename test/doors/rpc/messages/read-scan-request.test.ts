import { create, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { readScanRequest } from '../../../../src/doors/rpc/messages/read-scan-request.ts'
import { ScanRequestSchema } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { MessageReader } from '../../../../src/wire/rpc/message-reader.ts'

test.each([undefined, 0, 1, 1000, 0x7fffffff])('a scan knows that its client asks for %s rows', (rows) => {
  const request = {
    scan: { startRow: Buffer.from('a') },
    ...(rows !== undefined && { numberOfRows: rows }),
  }
  const bytes = Buffer.from(toBinary(ScanRequestSchema, create(ScanRequestSchema, request)))
  const { scan, rows: asked } = readScanRequest(new MessageReader(bytes))
  expect([scan!.scan.firstRows, asked]).toEqual([rows, rows])
  expect(scan!.scan.startRow).toEqual(Buffer.from('a'))
})
