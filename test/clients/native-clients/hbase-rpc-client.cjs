/**
 * What hbase-rpc-client answers: `node hbase-rpc-client.cjs MODULES HOST:ZOOKEEPER TABLE`, a table with the families f and g.
 * Prints a line `# STEP` for each step, and its answer.
 */

const { createRequire } = require('node:module')
const { promisify } = require('node:util')

const [modules, zookeeper, table] = process.argv.slice(2)
const hbase = createRequire(`${modules}/`)('hbase-rpc-client')
const client = hbase({ zookeeperHosts: [zookeeper], zookeeperRoot: '/hbase', callTimeout: 20_000 })
client.on('error', (error) => {
  process.stdout.write(`# client\n${error}\n`)
  process.exit(1)
})

const call = (name, ...args) => promisify(client[name].bind(client))(...args)

function shown(value) {
  if (value instanceof Error) return `${value.name}: ${value.message.split('\n')[0]}`
  if (Array.isArray(value)) return value.map(shown).join('; ')
  if (value === undefined || value === null) return String(value)
  if (value.columns === undefined) return JSON.stringify(value)
  const cells = value.columns.map(
    (cell) => `${cell.family}:${cell.qualifier}=${cell.value.toString('latin1')}`,
  )
  return `${value.row} ${cells.join(' ')}`
}

async function step(name, act) {
  let answer
  try {
    answer = shown(await act())
  } catch (error) {
    answer = `refused: ${String(error.exception_class_name ?? error.message ?? error).split('\n')[0]}`
  }
  process.stdout.write(`# ${name}\n${answer}\n`)
}

function put(row, columns) {
  const made = new hbase.Put(row)
  for (const [column, value] of Object.entries(columns)) made.add(...column.split(':'), value)
  return made
}

function scanAll(change, from, to) {
  const scan = client.getScanner(table, from, to)
  change?.(scan)
  return new Promise((resolve, reject) => {
    scan.toArray((error, rows) => (error ? reject(error) : resolve(rows)))
  })
}

const singleColumn = (qualifier, substr) => ({
  singleColumnValueFilter: {
    columnFamily: 'f',
    columnQualifier: qualifier,
    compareOp: 'EQUAL',
    comparator: { substringComparator: { substr } },
    filterIfMissing: true,
    latestVersionOnly: true,
  },
})

async function steps() {
  const keys = Array.from({ length: 40 }, (_, i) => `row${String(i).padStart(2, '0')}`)
  await step('a get of no row', () => call('get', table, new hbase.Get('none')))
  await step('put', () =>
    call('put', table, put('r', { 'f:a': '1', 'f:b': '2', 'g:c': Buffer.from([0, 255]) })),
  )
  await step('get', () => call('get', table, new hbase.Get('r')))
  await step('get of a column', () => call('get', table, new hbase.Get('r').addColumn('f', 'b')))
  await step('get of a time', () => {
    const get = new hbase.Get('r')
    get.setTimeRange(1, 2)
    return call('get', table, get)
  })
  await step('put again', () => call('put', table, put('r', { 'f:a': 'newer' })))
  await step('versions', () => {
    const get = new hbase.Get('r').addColumn('f', 'a')
    get.setMaxVersions(3)
    return call('get', table, get)
  })
  await step(
    'put of many',
    async () =>
      (
        await call(
          'mput',
          table,
          keys.map((row, i) => put(row, { 'f:n': `v${i % 4}`, 'g:x': row })),
        )
      ).length,
  )
  await step('get of many', () => call('mget', table, ['row03', 'none', 'row38']))
  await step('scan', () => scanAll())
  await step('scan of a range', () => scanAll(undefined, 'row05', 'row08'))
  await step('scan reversed', () => scanAll((scan) => scan.setReversed(), 'row08', 'row05'))
  await step('scan by column prefix', () =>
    scanAll((scan) => scan.setFilter({ columnPrefixFilter: { prefix: 'n' } })),
  )
  await step('scan by value', () => scanAll((scan) => scan.setFilter(singleColumn('n', 'v3'))))
  await step('scan by a list', () => {
    const list = new hbase.FilterList('MUST_PASS_ONE')
    list.addFilter(singleColumn('n', 'v1'))
    list.addFilter(singleColumn('n', 'v2'))
    return scanAll((scan) => scan.setFilter(list))
  })
  await step('increment', async () => {
    const increment = new hbase.Increment('counter')
    increment.add('f', 'n', 7)
    await call('increment', table, increment)
    return (await call('incrementColumnValue', table, 'counter', 'f', 'n', 5)).processed
  })
  await step('the counter', async () => {
    const result = await call('get', table, new hbase.Get('counter'))
    return result.columns.map(({ value }) => value.toString('hex')).join(' ')
  })
  await step('check and put', async () => [
    await call('checkAndPut', table, 'r', 'f', 'a', 'other', put('r', { 'f:a': 'no' })),
    await call('checkAndPut', table, 'r', 'f', 'a', 'newer', put('r', { 'f:a': 'yes' })),
  ])
  await step('after check and put', () => call('get', table, new hbase.Get('r').addColumn('f', 'a')))
  await step('check and delete', async () => {
    const gone = new hbase.Delete('r')
    gone.deleteColumns('f', 'b')
    return [
      await call('checkAndDelete', table, 'r', 'f', 'a', 'no', gone),
      await call('checkAndDelete', table, 'r', 'f', 'a', 'yes', gone),
    ]
  })
  await step('after check and delete', () => call('get', table, new hbase.Get('r')))
  await step('delete of a family', () => {
    const gone = new hbase.Delete('r')
    gone.deleteFamily('g')
    return call('delete', table, gone)
  })
  await step('after delete', () => call('get', table, new hbase.Get('r')))
  await step('delete of many', () => call('mdelete', table, ['row01', 'row02', 'r']))
  await step('scan after deletes', () => scanAll(undefined, 'r', 'row05'))
  await step('a family that is not there', () => call('put', table, put('r', { 'z:a': '1' })))
  await step('a table that is not there', () => call('get', `${table}-none`, new hbase.Get('r')))
}

steps().then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  },
)
