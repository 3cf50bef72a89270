/** The descriptors of hbase:meta and hbase:namespace: the manifest keeps what clients have made of them. */

import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import { changedShownTable, SHOWN_TABLES } from '../../../src/model/shown-tables.ts'
import { tableNotFound } from '../../../src/model/table-checks.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import { changedDescriptor, type TableChange } from '../../../src/store/table-alteration.ts'
import type { Engine } from '../engine/engine.ts'
import { AVAILABLE_CODECS } from '../hfile/compression.ts'
import { attributeList, descriptorOfRecord, familyRecords } from '../manifest/catalog.ts'
import type { ShownTableRecord } from '../manifest/manifest-edit.ts'

export class ShownTables {
  readonly #engine: Engine
  readonly #descriptors = new WeakMap<ShownTableRecord, TableDescriptor>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Throws TABLE_NOT_FOUND for a table that is not shown. */
  descriptor(name: TableName): TableDescriptor {
    const record = this.#engine.catalogLog.catalog.shown.get(name)
    if (record === undefined) {
      const first = SHOWN_TABLES.get(name)
      if (first === undefined) throw tableNotFound(name)
      return first
    }
    const known = this.#descriptors.get(record) ?? descriptorOfRecord(record)
    this.#descriptors.set(record, known)
    return known
  }

  /** Throws as changedDescriptor and changedShownTable. */
  modify(change: TableChange, call: Call): Promise<void> {
    const { changes, catalogLog } = this.#engine
    const { name } = change
    return changes.run(call, [{ kind: 'table', table: name }], async () => {
      const before = this.descriptor(name)
      const after = changedShownTable(before, changedDescriptor(change, before), AVAILABLE_CODECS)
      const families = familyRecords(after, [], 0)
      const table: ShownTableRecord = { name, attributes: attributeList(after.attributes), families }
      await catalogLog.commit({ kind: 'shown-table', table })
    })
  }
}
