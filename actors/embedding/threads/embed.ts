/** Entry of a pool thread: one row of tokens in, one unit vector out. */
import { poolRows } from "../model/pooling.js";
import { serveModel } from "./serve-model.js";

export default serveModel(async (session, rows) => {
  const { data, width } = await session.run(rows);
  return poolRows(
    data,
    width,
    rows.map(({ ids }) => ids.length),
  );
});
