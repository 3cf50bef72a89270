// What gohbase answers: `main HOST:ZOOKEEPER [COMPRESSION]`. Prints a line `# STEP` for each step, and its answer.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"regexp"
	"sort"
	"strings"
	"time"

	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/filter"
	"github.com/tsuna/gohbase/hrpc"
	"github.com/tsuna/gohbase/pb"
)

const table = "gohbase"

var (
	ctx      = context.Background()
	volatile = regexp.MustCompile(`[0-9]{10,}|[0-9a-f]{32}|127\.0\.0\.1|localhost`)
)

func step(name string, act func() (string, error)) {
	answer, err := act()
	if err != nil {
		lines := strings.SplitN(err.Error(), "\n", 2)
		answer = "refused: " + lines[0]
	}
	fmt.Printf("# %s\n%s\n", name, volatile.ReplaceAllString(answer, "<id>"))
}

func shown(result *hrpc.Result, err error) (string, error) {
	if err != nil || result == nil {
		return "nothing", err
	}
	parts := []string{}
	for _, cell := range result.Cells {
		time := ""
		if cell.Timestamp != nil && *cell.Timestamp < 1_000_000 {
			time = fmt.Sprintf("@%d", *cell.Timestamp)
		}
		parts = append(parts, fmt.Sprintf("%s/%s:%s%s=%q", cell.Row, cell.Family, cell.Qualifier, time, cell.Value))
	}
	exists := ""
	if result.Exists != nil {
		exists = fmt.Sprintf(" exists=%t", *result.Exists)
	}
	return fmt.Sprintf("%d cells%s %s", len(result.Cells), exists, strings.Join(parts, " ")), nil
}

func values(pairs ...string) map[string]map[string][]byte {
	found := map[string]map[string][]byte{}
	for _, pair := range pairs {
		column, value, _ := strings.Cut(pair, "=")
		family, qualifier, _ := strings.Cut(column, ":")
		if found[family] == nil {
			found[family] = map[string][]byte{}
		}
		found[family][qualifier] = []byte(value)
	}
	return found
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func done(err error) (string, error) { return "done", err }

func admin(a gohbase.AdminClient) {
	step("create", func() (string, error) {
		schema := map[string]map[string]string{"f": {"VERSIONS": "3"}, "g": {"BLOOMFILTER": "NONE"}}
		split := hrpc.SplitKeys([][]byte{[]byte("row2"), []byte("row5")})
		return done(a.CreateTable(hrpc.NewCreateTable(ctx, []byte(table), schema, split)))
	})
	step("create again", func() (string, error) {
		return done(a.CreateTable(hrpc.NewCreateTable(ctx, []byte(table), map[string]map[string]string{"f": nil})))
	})
	step("names", func() (string, error) {
		return names(a, hrpc.ListRegex("gohb.*"))
	})
	step("names of a namespace", func() (string, error) { return names(a, hrpc.ListNamespace("hbase")) })
	step("system tables by a pattern", func() (string, error) {
		return names(a, hrpc.ListRegex("hbase:.*"), hrpc.ListSysTables(true))
	})
	step("status", func() (string, error) {
		status, err := a.ClusterStatus()
		if err != nil {
			return "", err
		}
		regions := 0
		for _, live := range status.GetLiveServers() {
			for _, load := range live.GetServerLoad().GetRegionLoads() {
				if strings.HasPrefix(string(load.GetRegionSpecifier().GetValue()), table+",") {
					regions++
				}
			}
		}
		return fmt.Sprintf("%d live servers, balancer %t, master %t", len(status.GetLiveServers()),
			status.GetBalancerOn(), status.GetMaster() != nil), nil
	})
	step("balancer off and on", func() (string, error) {
		before, err := a.SetBalancer(must(hrpc.NewSetBalancer(ctx, false)))
		if err != nil {
			return "", err
		}
		off, err := a.SetBalancer(must(hrpc.NewSetBalancer(ctx, true)))
		return fmt.Sprintf("%t %t", before, off), err
	})
}

func names(a gohbase.AdminClient, options ...func(hrpc.Call) error) (string, error) {
	found, err := a.ListTableNames(must(hrpc.NewListTableNames(ctx, options...)))
	parts := []string{}
	for _, name := range found {
		parts = append(parts, fmt.Sprintf("%s:%s", name.GetNamespace(), name.GetQualifier()))
	}
	sort.Strings(parts)
	return strings.Join(parts, " "), err
}

func get(c gohbase.Client, row string, options ...func(hrpc.Call) error) (string, error) {
	return shown(c.Get(must(hrpc.NewGetStr(ctx, table, row, options...))))
}

func put(c gohbase.Client, row string, time uint64, pairs ...string) (string, error) {
	return shown(c.Put(must(hrpc.NewPutStr(ctx, table, row, values(pairs...), hrpc.TimestampUint64(time)))))
}

func rows(c gohbase.Client) {
	step("get of nothing", func() (string, error) { return get(c, "none") })
	step("put", func() (string, error) { return put(c, "row1", 5, "f:a=1", "f:b=\xff\x00", "g:c=three") })
	step("get", func() (string, error) { return get(c, "row1") })
	step("get of columns", func() (string, error) {
		return get(c, "row1", hrpc.Families(map[string][]string{"f": {"b"}, "g": nil}))
	})
	step("get of a family that is not there", func() (string, error) {
		return get(c, "row1", hrpc.Families(map[string][]string{"x": nil}))
	})
	step("get of a table that is not there", func() (string, error) {
		return shown(c.Get(must(hrpc.NewGetStr(ctx, "gohbase_none", "r"))))
	})
	for time := uint64(6); time < 9; time++ {
		step(fmt.Sprintf("put at %d", time), func() (string, error) { return put(c, "row1", time, "f:a=v") })
	}
	step("versions", func() (string, error) { return get(c, "row1", hrpc.MaxVersions(9)) })
	step("time range", func() (string, error) {
		return get(c, "row1", hrpc.MaxVersions(9), hrpc.TimeRangeUint64(6, 8))
	})
	step("results of a family", func() (string, error) {
		return get(c, "row1", hrpc.MaxResultsPerColumnFamily(1), hrpc.ResultOffset(1))
	})
	step("put without the log, with a lifetime", func() (string, error) {
		request := must(hrpc.NewPutStr(ctx, table, "row9", values("f:t=x"), hrpc.Durability(hrpc.SkipWal),
			hrpc.TTL(time.Hour), hrpc.TimestampUint64(uint64(time.Now().UnixMilli()))))
		return shown(c.Put(request))
	})
	step("it", func() (string, error) { return get(c, "row9") })
	step("delete of a version", func() (string, error) {
		request := must(hrpc.NewDelStr(ctx, table, "row1", values("f:a="), hrpc.TimestampUint64(8), hrpc.DeleteOneVersion()))
		return shown(c.Delete(request))
	})
	step("versions left", func() (string, error) { return get(c, "row1", hrpc.MaxVersions(9)) })
	step("delete of a column", func() (string, error) {
		return shown(c.Delete(must(hrpc.NewDelStr(ctx, table, "row1", values("f:a=")))))
	})
	step("delete of a family", func() (string, error) {
		request := must(hrpc.NewDelStr(ctx, table, "row1", map[string]map[string][]byte{"g": nil}))
		return shown(c.Delete(request))
	})
	step("what is left", func() (string, error) { return get(c, "row1", hrpc.MaxVersions(9)) })
	step("delete of a row", func() (string, error) { return shown(c.Delete(must(hrpc.NewDelStr(ctx, table, "row1", nil)))) })
	step("nothing is left", func() (string, error) { return get(c, "row1") })
}

func changes(c gohbase.Client) {
	for _, amount := range []int64{5, -7, math.MaxInt64} {
		step(fmt.Sprintf("increment by %d", amount), func() (string, error) {
			sum, err := c.Increment(must(hrpc.NewIncStrSingle(ctx, table, "count", "f", "n", amount)))
			return fmt.Sprintf("sum %s", fmt.Sprint(sum)[:min(6, len(fmt.Sprint(sum)))]), err
		})
	}
	step("append", func() (string, error) {
		return shown(c.Append(must(hrpc.NewAppStr(ctx, table, "app", values("f:a=one,", "g:b=x")))))
	})
	step("append again", func() (string, error) {
		result, err := c.Append(must(hrpc.NewAppStr(ctx, table, "app", values("f:a=two"))))
		return fmt.Sprintf("%d %q", len(result.Cells), result.Cells[0].Value), err
	})
	check := func(row, family, qualifier string, expected []byte) func() (string, error) {
		return func() (string, error) {
			request := must(hrpc.NewPutStr(ctx, table, row, values("f:a=checked"), hrpc.TimestampUint64(9)))
			processed, err := c.CheckAndPut(request, family, qualifier, expected)
			return fmt.Sprint(processed), err
		}
	}
	step("check of a missing cell", check("check", "f", "a", nil))
	step("check that fails", check("check", "f", "a", []byte("other")))
	step("check that holds", check("check", "f", "a", []byte("checked")))
	step("check of a family that is not there", check("check", "x", "a", nil))
	for _, kind := range []pb.CompareType{pb.CompareType_LESS, pb.CompareType_GREATER_OR_EQUAL, pb.CompareType_NOT_EQUAL} {
		step("check by "+kind.String(), func() (string, error) {
			request := must(hrpc.NewPutStr(ctx, table, "check", values("g:b=y"), hrpc.TimestampUint64(9)))
			processed, err := c.CheckAndPutWithCompareType(request, "f", "a", []byte("d"), kind)
			return fmt.Sprint(processed), err
		})
	}
	for _, prefix := range []string{"ch", "no"} {
		step("check by a filter of "+prefix, func() (string, error) {
			request := must(hrpc.NewPutStr(ctx, table, "check", values("g:c=z"), hrpc.TimestampUint64(9)))
			processed, err := c.CheckAndMutate(must(hrpc.NewCheckAndMutateWithFilter(request, filter.NewPrefixFilter([]byte(prefix)))))
			return fmt.Sprint(processed), err
		})
	}
	step("batch", func() (string, error) {
		calls := []hrpc.Call{}
		for i := range 40 {
			row := fmt.Sprintf("row%d%d", i%8, i/8)
			pairs := values(fmt.Sprintf("f:n=%d", i%4), "g:x="+row)
			calls = append(calls, must(hrpc.NewPutStr(ctx, table, row, pairs, hrpc.TimestampUint64(3))))
		}
		calls = append(calls, must(hrpc.NewPutStr(ctx, table, "bad", values("x:y=z"))))
		calls = append(calls, must(hrpc.NewGetStr(ctx, table, "app", hrpc.Families(map[string][]string{"g": nil}))))
		results, all := c.SendBatch(ctx, calls)
		failed := []string{}
		for i, result := range results {
			if result.Error != nil {
				failed = append(failed, fmt.Sprintf("%d: %s", i, strings.SplitN(result.Error.Error(), "\n", 2)[0]))
			}
		}
		return fmt.Sprintf("%t %s", all, strings.Join(failed, "; ")), nil
	})
}

func scanned(c gohbase.Client, from, to string, options ...func(hrpc.Call) error) (string, error) {
	scanner := c.Scan(must(hrpc.NewScanRangeStr(ctx, table, from, to, options...)))
	defer scanner.Close()
	parts := []string{}
	for {
		result, err := scanner.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		text, _ := shown(result, nil)
		partial := ""
		if result.Partial {
			partial = " partial"
		}
		parts = append(parts, text+partial)
	}
	metrics := []string{}
	for name, value := range scanner.GetScanMetrics() {
		// Others tell of disks and blocks.
		if !strings.HasPrefix(name, "ROWS_") {
			continue
		}
		metrics = append(metrics, fmt.Sprintf("%s=%d", name, value))
	}
	sort.Strings(metrics)
	return fmt.Sprintf("%d results %s\n%s", len(parts), strings.Join(metrics, " "), strings.Join(parts, "\n")), nil
}

func scans(c gohbase.Client) {
	scan := func(name, from, to string, options ...func(hrpc.Call) error) {
		step("scan "+name, func() (string, error) { return scanned(c, from, to, options...) })
	}
	ofF := hrpc.Families(map[string][]string{"f": nil})
	scan("of all regions", "row", "rox", ofF)
	scan("a few rows at a time", "row", "rox", ofF, hrpc.NumberOfRows(3))
	scan("few bytes at a time", "row", "rox", ofF, hrpc.MaxResultSize(64))
	scan("of parts of rows", "row", "row3", hrpc.AllowPartialResults(), hrpc.NumberOfRows(2), hrpc.MaxResultSize(32))
	scan("reversed", "row3", "row1", ofF, hrpc.Reversed())
	scan("of no rows", "zz", "zzz")
	scan("with metrics", "row1", "row3", hrpc.TrackScanMetrics())
	scan("of a family that is not there", "row", "rox", hrpc.Families(map[string][]string{"x": nil}))
	byPrefix := filter.NewPrefixFilter([]byte("row4"))
	byPage := filter.NewPageFilter(2)
	byValue := filter.NewValueFilter(filter.NewCompareFilter(filter.Equal,
		filter.NewBinaryComparator(filter.NewByteArrayComparable([]byte("2")))))
	byColumn := filter.NewColumnPrefixFilter([]byte("x"))
	regex := filter.NewRowFilter(filter.NewCompareFilter(filter.Equal,
		filter.NewRegexStringComparator("row[13]0", 0, "UTF-8", "JAVA")))
	scan("by prefix", "", "", hrpc.Filters(byPrefix))
	scan("by page", "row", "rox", hrpc.Filters(byPage))
	scan("by value", "row", "rox", hrpc.Filters(byValue))
	scan("by column prefix", "row", "row2", hrpc.Filters(byColumn))
	scan("by regular expression", "", "", hrpc.Filters(regex))
	scan("by keys only", "row1", "row2", hrpc.Filters(filter.NewKeyOnlyFilter(true)))
	scan("by first keys", "row1", "row3", hrpc.Filters(filter.NewFirstKeyOnlyFilter()))
	all := filter.NewList(filter.MustPassAll, byPrefix, byColumn)
	one := filter.NewList(filter.MustPassOne, filter.NewPrefixFilter([]byte("row70")), regex)
	scan("by all of a list", "", "", hrpc.Filters(all))
	scan("by one of a list", "", "", hrpc.Filters(one))
	step("scan that ends early", func() (string, error) {
		scanner := c.Scan(must(hrpc.NewScanRangeStr(ctx, table, "row", "rox", hrpc.NumberOfRows(2))))
		_, err := scanner.Next()
		if err != nil {
			return "", err
		}
		return done(scanner.Close())
	})
}

func ends(c gohbase.Client, a gohbase.AdminClient) {
	step("snapshot", func() (string, error) {
		return done(a.CreateSnapshot(must(hrpc.NewSnapshot(ctx, "gosnap", table))))
	})
	step("snapshots", func() (string, error) {
		found, err := a.ListSnapshots(hrpc.NewListSnapshots(ctx))
		parts := []string{}
		for _, snapshot := range found {
			parts = append(parts, fmt.Sprintf("%s of %s %s", snapshot.GetName(), snapshot.GetTable(), snapshot.GetType()))
		}
		return strings.Join(parts, " "), err
	})
	step("a change behind it", func() (string, error) { return put(c, "behind", 3, "f:a=1") })
	step("disable", func() (string, error) { return done(a.DisableTable(hrpc.NewDisableTable(ctx, []byte(table)))) })
	step("disable again", func() (string, error) { return done(a.DisableTable(hrpc.NewDisableTable(ctx, []byte(table)))) })
	step("restore", func() (string, error) {
		return done(a.RestoreSnapshot(must(hrpc.NewSnapshot(ctx, "gosnap", table))))
	})
	step("enable", func() (string, error) { return done(a.EnableTable(hrpc.NewEnableTable(ctx, []byte(table)))) })
	step("the change is gone", func() (string, error) { return get(c, "behind") })
	step("another is there", func() (string, error) { return get(c, "app", hrpc.Families(map[string][]string{"g": nil})) })
	step("delete of the snapshot", func() (string, error) {
		return done(a.DeleteSnapshot(must(hrpc.NewSnapshot(ctx, "gosnap", table))))
	})
	step("delete of an enabled table", func() (string, error) {
		return done(a.DeleteTable(hrpc.NewDeleteTable(ctx, []byte(table))))
	})
	step("delete", func() (string, error) {
		if err := a.DisableTable(hrpc.NewDisableTable(ctx, []byte(table))); err != nil {
			return "", err
		}
		return done(a.DeleteTable(hrpc.NewDeleteTable(ctx, []byte(table))))
	})
	step("it is gone", func() (string, error) { return names(a, hrpc.ListRegex("gohb.*")) })
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	quiet := gohbase.Logger(slog.New(slog.NewTextHandler(io.Discard, nil)))
	options := []gohbase.Option{quiet}
	if len(os.Args) > 2 {
		options = append(options, gohbase.CompressionCodec(os.Args[2]))
	}
	c := gohbase.NewClient(os.Args[1], options...)
	defer c.Close()
	a := gohbase.NewAdminClient(os.Args[1], quiet)
	admin(a)
	rows(c)
	changes(c)
	scans(c)
	ends(c, a)
}
