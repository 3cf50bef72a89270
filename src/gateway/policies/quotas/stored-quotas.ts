/** Changes and lists the quotas in hbase:quota. HBase: MasterQuotaManager, QuotaUtil, MasterQuotasObserver. */

import { HBaseError } from '../../../model/errors.ts'
import { ColumnsBuilder } from '../../../model/query.ts'
import type { QuotaChange, QuotaSubject, TableSpaceUse } from '../../../model/quota.ts'
import { SerialQueue } from '../../../model/serial-queue.ts'
import type { Call } from '../../../store/call.ts'
import type { QuotaStates, Quotas as QuotasPart, TableSize } from '../../../store/quotas.ts'
import { TimeUnit } from '../../../wire/rpc/gen/hbase_pb.ts'
import { mergedQuotas } from './merged-quotas.ts'
import {
  EXCEEDING_ROW,
  INFO,
  NO_SUBJECT,
  namespaceOfRow,
  POLICY,
  regionServerRow,
  SETTINGS,
  type SettingsCell,
  settingsCell,
  USAGE,
} from './quota-rows.ts'
import type { Quotas, QuotaTable } from './quota-table.ts'
import type { SpaceObserver } from './space-observer.ts'

/** HBase's bytes for true and false: Bytes.toBytes(boolean). */
const [ON, OFF] = [Buffer.from([0xff]), Buffer.from([0])]

const NO_CHANGE = {
  removesAll: undefined,
  bypassesGlobals: undefined,
  throttle: undefined,
  space: undefined,
}

export class StoredQuotas implements QuotasPart {
  readonly #table: QuotaTable
  readonly #observer: SpaceObserver
  readonly #changes = new SerialQueue()

  constructor(table: QuotaTable, observer: SpaceObserver) {
    this.#table = table
    this.#observer = observer
  }

  async setQuota(change: QuotaChange, call: Call): Promise<void> {
    const cell = settingsCell(change)
    if (cell === undefined) {
      throw refused(
        'java.lang.UnsupportedOperationException: a user, a table, a namespace or region server must be specified',
      )
    }
    await this.#changes.run(async () => {
      if (change.removesAll === true) return this.#delete(cell, call)
      const before = await this.#table.quotas(cell.row, cell.qualifier, call)
      const after = mergedQuotas(before, change)
      if (after === undefined) await this.#delete(cell, call)
      else await this.#table.putQuotas(cell.row, cell.qualifier, after, call)
    })
  }

  async #delete({ row, qualifier, isOfRow }: SettingsCell, call: Call): Promise<void> {
    const namespace = namespaceOfRow(row)
    if (namespace !== undefined) {
      const quotas = await this.#table.quotas(row, SETTINGS, call)
      if (quotas?.space !== undefined) await this.#forgetTablesOf(namespace, call)
    }
    if (isOfRow) await this.#table.deleteRow(row, call)
    else await this.#table.deleteColumn(row, INFO, qualifier, call)
  }

  /**
   * Removes the noted states of the namespace's tables without quotas of their own. HBase finds the tables by the prefix of the namespace,
   * which tables of the default namespace lack. HBase: QuotaTableUtil.deleteTableUsageSnapshotsForNamespace.
   */
  async #forgetTablesOf(namespace: string, call: Call): Promise<void> {
    const columns = new ColumnsBuilder().addColumn(INFO, SETTINGS).addColumn(USAGE, POLICY).build()
    const cells = await this.#table.cells(columns, call)
    const withQuotas = new Set(
      cells.filter(({ family }) => family.equals(INFO)).map(({ row }) => row.toString()),
    )
    for (const { row, family } of cells) {
      const text = row.toString()
      if (!text.startsWith(`t.${namespace}:`) || withQuotas.has(text) || !family.equals(USAGE)) continue
      await this.#table.deleteColumn(row, USAGE, POLICY, call)
    }
  }

  /** Removes the limits of a deleted table or namespace. Bypasses stay. HBase: MasterQuotasObserver. */
  async forget(gone: Partial<QuotaSubject>, call: Call): Promise<void> {
    const subject = { ...NO_SUBJECT, ...gone }
    const quotas = await this.#table.quotas(settingsCell(subject)!.row, SETTINGS, call)
    const change = { ...subject, ...NO_CHANGE }
    if (quotas?.space !== undefined) {
      const quota = { limitBytes: undefined, policy: undefined, isRemoved: true }
      await this.setQuota({ ...change, space: { quota } }, call)
    }
    if (quotas?.throttle !== undefined)
      await this.setQuota({ ...change, throttle: { type: undefined, limit: undefined } }, call)
  }

  quotaStates(call: Call): Promise<QuotaStates> {
    return this.#observer.states(call)
  }

  tableSizes(call: Call): Promise<TableSize[]> {
    return this.#observer.tableSizes(call)
  }

  async serverSpaceUses(call: Call): Promise<TableSpaceUse[]> {
    await this.#observer.refresh(call)
    return this.#observer.noted(call)
  }

  switchExceeding(on: boolean, call: Call): Promise<boolean> {
    return this.#changes.run(async () => {
      const value = await this.#table.value(EXCEEDING_ROW, INFO, SETTINGS, call)
      const before = value !== undefined && !value.equals(OFF)
      if (before === on) return before
      if (on) checkMayExceed(await this.#table.quotas(regionServerRow('all'), SETTINGS, call))
      await this.#table.put(EXCEEDING_ROW, INFO, SETTINGS, on ? ON : OFF, call)
      return before
    })
  }
}

/** HBase: QuotaUtil.checkRSQuotaToEnableExceedThrottle. */
function checkMayExceed(quotas: Quotas | undefined): void {
  const throttle = quotas?.throttle
  if (throttle === undefined)
    throw refused('Please set region server quota before enable exceed throttle quota')
  const { reqNum, reqSize, reqCapacityUnit, readNum, readSize, readCapacityUnit } = throttle
  const { writeNum, writeSize, writeCapacityUnit } = throttle
  const ofBoth = reqNum ?? reqSize ?? reqCapacityUnit
  if ((ofBoth ?? readNum ?? readSize ?? readCapacityUnit) === undefined)
    throw refused('Please set at least one read region server quota before enable exceed throttle quota')
  if ((ofBoth ?? writeNum ?? writeSize ?? writeCapacityUnit) === undefined)
    throw refused('Please set at least one write region server quota before enable exceed throttle quota')
  const limits = [reqNum, reqSize, reqCapacityUnit, readNum, readSize, readCapacityUnit, writeNum]
  for (const limit of [...limits, writeSize, writeCapacityUnit]) {
    if (limit !== undefined && limit.timeUnit !== TimeUnit.SECONDS)
      throw refused('All region server quota must be in seconds time unit if enable exceed throttle quota')
  }
}

function refused(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message)
}
