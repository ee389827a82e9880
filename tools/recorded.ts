// The tables of the requests that were recorded from a real node: how many of them the simulator answers in the same form.

interface Case {
  /** The name of its file: the operation, or `transport`. */
  of: string
  case: string
}

/** One row for each method, and one for the transport. `differing` are those that are answered otherwise. */
export function recordedTable(cases: readonly Case[], differing: readonly (Case & { why: string })[]): string {
  const [all, same] = [cases.length, cases.length - differing.length]
  return tableOf([...rowsOf(cases, differing), `| all | ${all} | ${same} | |`])
}

function rowsOf(cases: readonly Case[], differing: readonly (Case & { why: string })[]): string[] {
  return [...Map.groupBy(cases, ({ of }) => of)].map(([of, all]) => {
    const others = differing.filter((one) => one.of === of)
    const reasons = [...Map.groupBy(others, ({ why }) => why)].map(
      ([why, same]) => `${same.map((one) => one.case).join(', ')}: ${why}`,
    )
    return `| \`${of}\` | ${all.length} | ${all.length - others.length} | ${reasons.join('; ')} |`
  })
}

function tableOf(rows: readonly string[]): string {
  return ['| method | cases | same | differing |', '|---|---|---|---|', ...rows].join('\n')
}
