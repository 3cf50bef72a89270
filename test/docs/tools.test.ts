/** The examples of docs/tools.md, run one after the other in one folder. */

import { test } from 'vitest'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'
import { makeShop } from './shop.ts'
import { expectExamples } from './transcripts.ts'

test('answer what the document says', { timeout: 120_000 }, () =>
  inTemporaryFolder(async (folder) => {
    await makeShop(`${folder}/shop`)
    await expectExamples('docs/tools.md', folder, 8)
  }),
)
