import { expect, test } from 'vitest'
import { parseClusterAddress, parseServerAddress } from '../../../src/cli/remote/server-address.ts'

test.each(['127.0.0.1:37120', 'rest:h:1', 'thrift:h:1', 'rpc:', ''])(
  'a command of native RPC refuses %j, and names only addresses that work for it',
  (text) => {
    expect(() => parseClusterAddress(text)).toThrow(/^It must be rpc:HOST:PORT or zookeeper:HOST:PORT\.$/)
  },
)

test('it takes the others as every command does', () => {
  for (const text of ['rpc:h:1', 'zookeeper:h:1'])
    expect(parseClusterAddress(text)).toEqual(parseServerAddress(text))
})
