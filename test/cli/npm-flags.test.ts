import { expect, test } from 'vitest'
import { flagsTakenByNpm } from '../../src/cli/npm-flags.ts'

test.each<[object, string[]]>([
  [{}, []],
  [{ npm_config_read_only: 'true' }, ['--read-only']],
  [{ npm_config_read_only: '' }, []],
  [{ npm_config_read_only: 'false', npm_config_cache: '/c', npm_config_prefix: '/usr' }, []],
  [{ npm_config_store: 'true', npm_config_block_cache: '1m' }, ['--store', '--block-cache']],
])('npm start with %j in its environment', (environment, flags) => {
  expect(flagsTakenByNpm({ ...environment, npm_lifecycle_event: 'start' }).toSorted()).toEqual(
    flags.toSorted(),
  )
  expect(flagsTakenByNpm({ ...environment })).toEqual([])
})
