// Signing tokens of hooks (hosting-service.md §1.2).

const prefix = 'whsec_'

/** `whsec_` and 24 to 64 bytes in base64, as in Standard Webhooks. */
export function isSigningToken(text: string): boolean {
  if (!text.startsWith(prefix)) return false
  const key = Buffer.from(text.slice(prefix.length), 'base64')
  return key.toString('base64') === text.slice(prefix.length) && key.length >= 24 && key.length <= 64
}
