// Makes a table by REST, writes a row, reads it back, and says so: node try-rest.mjs http://HOST:PORT
const [address = 'http://127.0.0.1:8080'] = process.argv.slice(2)

async function ask(method, path, headers, body) {
  const response = await fetch(new URL(path, address), { method, headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

const written = `a row written at ${new Date().toISOString()}`
await ask('PUT', '/trial/schema', { 'content-type': 'application/json' }, '{"ColumnSchema":[{"name":"f"}]}')
await ask('PUT', '/trial/row/f:q', { 'content-type': 'application/octet-stream' }, written)
const read = await ask('GET', '/trial/row/f:q', { accept: 'application/octet-stream' })
if (read !== written) throw new Error(`wrote "${written}" and read "${read}"`)
console.log(`${address} keeps rows: read "${read}"`)
