import { InvalidArgumentError, Option } from 'commander'
import { isAddressOrRange } from '../../gateway/connections/address-set.ts'

export function trustedProxiesOption(): Option {
  return new Option(
    '--trusted-proxies <address,...>',
    'proxies, as 10.0.0.1 or 10.0.0.0/8, that tell by X-Forwarded-For and X-Forwarded-Proto where requests of HTTP come from',
  )
    .env('TIDEGATE_TRUSTED_PROXIES')
    .argParser(parseProxies)
    .default([])
}

function parseProxies(text: string): readonly string[] {
  const proxies = text.split(',').map((proxy) => proxy.trim())
  for (const proxy of proxies) {
    if (!isAddressOrRange(proxy))
      throw new InvalidArgumentError(`${proxy} is no address and no range of them.`)
    if (proxy.endsWith('/0'))
      throw new InvalidArgumentError(`${proxy} is everybody: each client could say where it comes from.`)
  }
  return proxies
}
