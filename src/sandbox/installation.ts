// The GitLab installation that the sandbox is: its tier and its version.
import { noSuchRoute } from './http/error-response.ts'

export type Tier = 'free' | 'premium'

export const defaultTier: Tier = 'premium'

/** What answers and deliveries say: the newest GitLab that the sandbox follows. */
export const version = '19.4.0'

/** GitLab shows a commit here. */
export const revision = 'sandbox'

export function isPremium({ tier }: { readonly tier: Tier }): boolean {
  return tier === 'premium'
}

/** Finds as `find` does. Without Premium throws 404, usually as for an address that the tier does not have. */
export const premium =
  <C extends { world: { readonly tier: Tier } }, Found>(find: (call: C) => Found, refusal = noSuchRoute) =>
  (call: C): Found => {
    if (!isPremium(call.world)) throw refusal()
    return find(call)
  }
