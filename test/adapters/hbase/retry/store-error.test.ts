import { expect, test } from 'vitest'
import { failureOf } from '../../../../adapters/hbase/retry/failure.ts'
import { FinalFailure } from '../../../../adapters/hbase/retry/final-failure.ts'
import { storeError } from '../../../../adapters/hbase/retry/store-error.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { ERROR_CODES, ERROR_TRAITS, HBaseError } from '../../../../src/model/errors.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { remote } from '../remote.ts'

const HBASE = 'org.apache.hadoop.hbase'

test.each([
  ['security.AccessDeniedException', 'ACCESS_DENIED'],
  ['quotas.RpcThrottlingException', 'THROTTLED'],
  ['exceptions.TimeoutIOException', 'TIMEOUT'],
  ['ipc.CallTimeoutException', 'TIMEOUT'],
  ['regionserver.WrongRegionException', 'NOT_SERVING_REGION'],
  ['exceptions.RegionMovedException', 'NOT_SERVING_REGION'],
  ['snapshot.SnapshotExistsException', 'DO_NOT_RETRY'],
  ['SomethingNewException', 'IO'],
])('%s is %s, and keeps its class and message', (name, code) => {
  expect(storeError(remote(name, 'why'))).toMatchObject({
    code,
    message: 'why',
    javaClass: `${HBASE}.${name}`,
    detail: { javaClass: `${HBASE}.${name}` },
  })
})

test('a request that a server does not support is not repeated', () => {
  const error = new RemoteException({
    javaClass: 'java.lang.UnsupportedOperationException',
    stackTrace: 'java.lang.UnsupportedOperationException: no such thing',
  })
  expect(failureOf(error).kind).toBe('final')
  expect(storeError(error)).toMatchObject({ code: 'UNSUPPORTED', message: 'no such thing' })
})

test('the class of each code maps to that code again, except for codes that share a class', () => {
  const shared = ['TOO_LARGE', 'READ_ONLY', 'REFUSED']
  for (const code of ERROR_CODES.filter((code) => !shared.includes(code))) {
    const { javaClass } = ERROR_TRAITS[code]
    expect(storeError(new RemoteException({ javaClass, stackTrace: '' })).code).toBe(code)
  }
})

test('a cancelled call is CALLER_GONE', () => {
  expect(storeError(new RpcError('CALL_CANCELLED', 'gone')).code).toBe('CALLER_GONE')
})

test('a final failure is not retried, even if its code is retryable', () => {
  const error = new HBaseError('NOT_SERVING_REGION', 'x is not online')
  expect(failureOf(error).kind).toBe('not-serving')
  expect(failureOf(new FinalFailure(error)).kind).toBe('final')
  expect(storeError(new FinalFailure(error))).toBe(error)
})
