// What a backport tells people: why they have to do it, and the commands.

/** For one target branch. */
interface About {
  to: string
  branch: string
}

export const noteFor = (to: string) => `backport to ${to}`
export const branchNoteFor = (to: string) => `branch of the backport to ${to}`

export const description = (iid: number, to: string) =>
  `Backport of !${iid} to \`${to}\`. Bellhop cherry-picked it when it was merged.`

const commands = ({ to, branch }: About, fetch: string, apply: string[]) => [
  '```sh',
  `git fetch origin${fetch}`,
  `git switch -c ${branch} origin/${to}`,
  ...apply,
  `git push -u origin ${branch}`,
  '```',
  `Then open a merge request of that branch into \`${to}\`.`,
]

export const conflict = (about: About, { shas, isMerge }: { shas: readonly string[]; isMerge: boolean }) =>
  [
    `The change does not apply to \`${about.to}\`: it conflicts there, or is there already. By hand:`,
    ...commands(about, '', [`git cherry-pick -x ${isMerge ? '-m 1 ' : ''}${shas.join(' ')}`]),
  ].join('\n')

/** The commands apply what the merge request showed, whatever its commits are. */
export const byHand = (about: About, why: string, iid: number, { base, head }: { base: string; head: string }) =>
  [
    `Bellhop does not cherry-pick the change to \`${about.to}\`: ${why}. By hand:`,
    ...commands(about, ` && git fetch origin merge-requests/${iid}/head`, [
      `git diff --binary ${base} ${head} | git apply --3way`,
      'git commit',
    ]),
  ].join('\n')

export const notOwn = ({ to, branch }: About, closed?: number) =>
  [
    `Bellhop does not know what is on the branch \`${branch}\`: somebody else made it or pushed to it, or an answer of the service was lost.`,
    closed === undefined
      ? 'It opens no merge request of it.'
      : `It closed !${closed}, because somebody pushed to the branch before that was opened.`,
    `Look at the branch. Then delete it and comment here, so that Bellhop makes its own, or open a merge request into \`${to}\` by hand.`,
  ].join(' ')
