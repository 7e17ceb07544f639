// The GitLab installation that the sandbox imitates: its tier and its version.

import { noSuchRoute } from './http/error-response.ts'

export interface Installation {
  tier: 'free' | 'premium'
  /** `18.11.0` */
  version: string
}

export const currentInstallation: Installation = { tier: 'premium', version: '18.11.0' }

/** GitLab shows a commit here. */
export const revision = 'sandbox'

/** What a world says about its installation. */
interface Installed {
  readonly installation: Installation
}

export function isPremium({ installation }: Installed): boolean {
  return installation.tier === 'premium'
}

/** Throws 404, as for an address that the tier does not have. */
export function requirePremium(world: Installed): void {
  if (!isPremium(world)) throw noSuchRoute()
}

/** Whether the installation is of this release or a newer one: `isSince(world, '17.11')`. */
export function isSince({ installation }: Installed, release: string): boolean {
  const [major = 0, minor = 0] = numbersIn(installation.version)
  const [sinceMajor = 0, sinceMinor = 0] = numbersIn(release)
  return major === sinceMajor ? minor >= sinceMinor : major > sinceMajor
}

function numbersIn(version: string): number[] {
  return version.split('.').map(Number)
}
