import { expect, test } from 'vitest'
import { ThriftException } from '../../../../src/doors/thrift/contract/thrift-service.ts'
import { BatchError } from '../../../../src/doors/thrift/service/batch-error.ts'
import { thrift1Exception, thrift2Exception } from '../../../../src/doors/thrift/service/error-answers.ts'
import { ERROR_CODES, ERROR_TRAITS, type ErrorCode, HBaseError } from '../../../../src/model/errors.ts'

/** Classes of HBase that do not extend DoNotRetryIOException. */
const RETRYABLE: readonly ErrorCode[] = [
  'NOT_SERVING_REGION',
  'REGION_TOO_BUSY',
  'UNAVAILABLE',
  'TIMEOUT',
  'IO',
  'REFUSED',
  'THROTTLED',
  'OVERLOADED',
  'CALLER_GONE',
]

/** HBase's client finds these errors itself, and Thrift 2 answers them without a class. */
const FOUND_BY_THE_CLIENT: readonly ErrorCode[] = [
  'TABLE_NOT_FOUND',
  'TABLE_NOT_ENABLED',
  'TABLE_NOT_DISABLED',
  'IO',
  'REFUSED',
]

test.each(ERROR_CODES)('%s: the exception of each service', (code) => {
  const error = new HBaseError(code, 'the reason')
  const canRetry = RETRYABLE.includes(code)
  const message = `${ERROR_TRAITS[code].javaClass}: the reason`
  const first = thrift1Exception('createTable', error) as ThriftException
  const second = thrift2Exception('getScannerRows', error) as ThriftException
  const ofReader = code === 'READ_ONLY' ? 'Thrift Server is in Read-only mode. the reason' : message
  const messageOfThrift2 = FOUND_BY_THE_CLIENT.includes(code) ? 'the reason' : ofReader
  expect(first).toBeInstanceOf(ThriftException)
  if (code === 'TABLE_EXISTS') {
    expect([first.struct, first.fields]).toEqual(['AlreadyExists', { message: 'table name already in use' }])
  } else if (code === 'ILLEGAL_ARGUMENT') {
    expect([first.struct, first.fields]).toEqual(['IllegalArgument', { message }])
  } else expect([first.struct, first.fields]).toEqual(['IOError', { message, canRetry }])
  if (code === 'ILLEGAL_ARGUMENT') {
    expect([second.struct, second.fields]).toEqual(['TIllegalArgument', { message }])
  } else expect([second.struct, second.fields]).toEqual(['TIOError', { message: messageOfThrift2, canRetry }])
})

test('an error that names its own class is answered with it', () => {
  const javaClass = 'org.apache.hadoop.hbase.regionserver.WrongRegionException'
  const error = new HBaseError('NOT_SERVING_REGION', 'the reason', { javaClass })
  const fields = { message: `${javaClass}: the reason`, canRetry: true }
  expect(thrift1Exception('getRow', error)).toMatchObject({ struct: 'IOError', fields })
  expect(thrift2Exception('get', error)).toMatchObject({ struct: 'TIOError', fields })
})

test('a bad argument is let through where the method declares no exception for it', () => {
  const error = new HBaseError('ILLEGAL_ARGUMENT', 'Row length is 0')
  expect(thrift1Exception('getRow', error)).toBe(error)
  expect(thrift2Exception('get', error)).toBe(error)
  const bug = new TypeError('a bug')
  expect(thrift1Exception('createTable', bug)).toBe(bug)
  expect(thrift2Exception('get', bug)).toBe(bug)
})

test('the error of a batch has the number of failed actions, and their reasons', () => {
  const family = new HBaseError('NO_SUCH_COLUMN_FAMILY', 'nof')
  const busy = new HBaseError('REGION_TOO_BUSY', 'full')
  const error = new BatchError([family, busy, family])
  expect(error.message).toBe(
    'Failed 3 actions: org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException: nof: 2 times, ' +
      'org.apache.hadoop.hbase.RegionTooBusyException: full: 1 time, servers with issues: null',
  )
  expect(thrift1Exception('mutateRows', error)).toMatchObject({
    struct: 'IOError',
    fields: {
      canRetry: true,
      message: `org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException: ${error.message}`,
    },
  })
  expect(thrift2Exception('putMultiple', error)).toMatchObject({ struct: 'TIOError' })
})
