// A command to merge counts where a Maintainer gives it, and not where the note quotes it or shows it as code.
import { expect, test } from 'vitest'
import type { MergeWorld } from './world.ts'

const command = '@bellhop merge'
const quoted = [
  `>>>\n${command}\n>>>\n\nWhat is that?`,
  `<!--\n${command}\n-->\nLooks odd.`,
  `<pre>\n${command}\n</pre>`,
  `- \`\`\`\n  ${command}\n  \`\`\``,
  `> Please note:\n${command}`,
  `Odd.[^1]\n\n[^1]: It says:\n\n  ${command}`,
]

export function commandsSuite(given: () => MergeWorld): void {
  test('a Maintainer’s note that quotes the command or shows it as code does not merge; the command itself does', async () => {
    const world = given()
    const { iid, sha, branch } = await world.open('asked')
    await world.green(sha, branch)
    for (const body of quoted) {
      await world.say(iid, body, world.people.renovate)
      expect(world.accepts(iid), body).toEqual([])
    }
    await world.expectOpen(iid)
    await world.say(iid, `> It is fine now.\n\n${command}`, world.people.renovate)
    world.expectMerged(iid, sha)
  })
}
