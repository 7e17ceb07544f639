// Which tokens deliveries can be signed with (hosting-service.md §1.2).

const prefix = 'whsec_'

/** `whsec_` and base64 of 24 to 64 bytes, the lengths that Standard Webhooks knows; GitLab's own have 32. */
export function isSigningToken(text: string): boolean {
  if (!text.startsWith(prefix)) return false
  const key = Buffer.from(text.slice(prefix.length), 'base64')
  return key.toString('base64') === text.slice(prefix.length) && key.length >= 24 && key.length <= 64
}
