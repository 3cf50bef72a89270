import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { packageRoot } from '../../../src/package-root.ts'
import { protobufDigest } from '../../harness/protobuf-digest.ts'

test('the generated code is that of idl/rpc as it is: `npm run generate`', () => {
  const source = fileURLToPath(new URL('idl/rpc', packageRoot()))
  const target = new URL('src/wire/rpc/gen/', packageRoot())
  const digest = protobufDigest(source)
  const modules = readdirSync(target)
  expect(modules.sort()).toEqual(
    readdirSync(source)
      .map((file) => file.replace('.proto', '_pb.ts'))
      .sort(),
  )
  const stale = modules.filter(
    (file) => !readFileSync(new URL(file, target), 'utf8').split('\n', 1)[0]?.endsWith(digest),
  )
  expect(stale).toEqual([])
})
