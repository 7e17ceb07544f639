// A command to merge counts where a Maintainer gives it, and not where the note quotes it or shows it as code.
import { describe, expect, test } from 'vitest'
import type { MergeWorld } from './world.ts'

const hostile = '@bellhop merge'

export function commandsSuite(given: () => MergeWorld): void {
  const say = async (world: MergeWorld, iid: number, body: string) => {
    await world
      .as(world.people.renovate)
      .mergeRequests.notes.create({ id: world.project, merge_request_iid: iid, body })
    await world.settle()
  }

  describe.sequential('a Maintainer’s note', () => {
    test.each([
      ['between lines of >>>', `>>>\n${hostile}\n>>>\n\nWhat is that?`],
      ['in an HTML comment', `<!--\n${hostile}\n-->\nLooks odd.`],
      ['in <pre>', `<pre>\n${hostile}\n</pre>`],
      ['in a fenced block of a list', `- \`\`\`\n  ${hostile}\n  \`\`\``],
      ['in a line that continues a quote lazily', `> Please note:\n${hostile}`],
      ['in a paragraph of a footnote', `Odd.[^1]\n\n[^1]: It says:\n\n  ${hostile}`],
    ])('that quotes the command %s does not merge; the command itself does', async (_where, body) => {
      const world = given()
      const { iid, sha, branch } = await world.open('asked')
      await world.green(sha, branch)
      await say(world, iid, body)
      expect(world.accepts(iid)).toEqual([])
      await world.expectOpen(iid)
      await say(world, iid, `> It is fine now.\n\n${hostile}`)
      world.expectMerged(iid, sha)
    })
  })
}
