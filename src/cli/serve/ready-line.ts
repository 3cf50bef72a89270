/** The line on stdout that says that all doors listen. */
export function readyLine(store: string, addresses: Readonly<Record<string, string>>): string {
  const doors = Object.entries(addresses).map(([name, address]) => `${name}=${address}`)
  return `ready store=${store} ${doors.join(' ')}`
}
